/** Tests the output for web workers: real compilations with webpack and Rspack. `test/webpack` runs it in a browser. */
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'

import { rspack } from '@rspack/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import webpack from 'webpack'

import { UnderstudyWebpackPlugin } from '../understudy-webpack-plugin.ts'

let root: string

beforeEach(async () => {
  // The engine can be resolved from this folder.
  const parent = join(import.meta.dirname, '../../../../.tmp')
  await mkdir(parent, { recursive: true })
  root = await mkdtemp(join(parent, 'web-workers-'))
  await write('src/mocks/handlers.js', 'export const handlers = []')
  await write('src/main.js', `new Worker(${name} new URL('./worker.js', import.meta.url))`)
  await write('src/worker.js', `import './early.js'\nimport('./late.js')`)
  await write('src/early.js', 'globalThis.isReplaced = WebSocket !== Native')
  await write('src/late.js', 'globalThis.late = true')
})

afterEach(() => rm(root, { recursive: true, force: true }))

const name = '/* webpackChunkName: "separate" */'

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

/** A text of the script that no other module contains. */
const mark = 'US0618'

/** Runs the script of a web worker. Returns its global. */
function run(script: string, more: object = {}): Record<string, unknown> {
  class Native extends EventTarget {}
  const context = createContext({
    Native,
    WebSocket: Native,
    EventTarget,
    WorkerGlobalScope: Object,
    location: { origin: 'http://localhost', toString: () => `http://localhost/${script}` },
    importScripts: (url: string) => runFile(basename(url)),
    ...more,
  }) as Record<string, unknown>
  context['self'] = context
  const runFile = (file: string): unknown => runInContext(readFileSync(join(root, 'dist', file), 'utf8'), context)
  runFile(script)
  return context
}

interface Config {
  [option: string]: unknown
  optimization?: object
  module?: { rules: object[] }
  output?: object
}

/** The packages are sources here, which webpack compiles without a rule. */
const typescript = {
  test: /\.ts$/,
  loader: 'builtin:swc-loader',
  options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' } },
  type: 'javascript/auto',
}
const extensionAlias = { '.js': ['.js', '.ts'], '.cjs': ['.cjs', '.cts'] }

const compilers = {
  webpack: (config: Config, done: (error: unknown, stats: unknown) => void) => webpack(config, done),
  Rspack: (config: Config, done: (error: unknown, stats: unknown) => void) =>
    rspack(
      {
        ...config,
        resolve: { extensionAlias },
        module: { ...config.module, rules: [typescript, ...(config.module?.rules ?? [])] },
      },
      done,
    ),
}

describe.each(Object.entries(compilers))('%s', (compiler, compile) => {
  /** Builds the app. Returns the names of the files that contain the script. */
  async function build(more: Config = {}, plugins: object[] = [new UnderstudyWebpackPlugin()]): Promise<string[]> {
    await rm(join(root, 'dist'), { recursive: true, force: true })
    const config = {
      context: root,
      mode: 'development',
      entry: './src/main.js',
      devtool: false,
      performance: false,
      plugins,
      ...more,
      optimization: { minimize: false, ...more.optimization },
      output: { path: join(root, 'dist'), ...more.output },
    }
    await new Promise<void>((resolve, reject) => {
      const compiled = compile(config, (error, stats) => {
        const { errors } = (stats as { compilation: { errors: Error[] } } | undefined)?.compilation ?? { errors: [] }
        const problem = error ?? Array.from(errors)[0]
        // A cache on the disk is written when the compiler is closed.
        compiled?.close(() => {
          if (problem) reject(new Error('Failed to build: see the cause.', { cause: problem }))
          else resolve()
        })
      })
    })
    const files = (await readdir(join(root, 'dist'))).filter((file) => /\.m?js$/.test(file))
    const texts = await Promise.all(files.map((file) => readFile(join(root, 'dist', file), 'utf8')))
    return files.filter((file, i) => file !== 'understudy-worker.js' && texts[i]?.includes(mark)).toSorted()
  }

  test.each([
    ['in development', {}],
    ['with a source map', { devtool: 'source-map' }],
    ['with modules that are evaluated', { devtool: 'eval-source-map' }],
    ['with a single runtime', { optimization: { runtimeChunk: 'single' } }],
    ['with modules in other chunks', { optimization: { splitChunks: { chunks: 'all', minSize: 0 } } }],
    ['in a build', { mode: 'production', plugins: [new UnderstudyWebpackPlugin({ enabled: true })] }],
  ])('a web worker evaluates the script first, and the page does not contain it: %s', async (_name, more) => {
    expect(await build(more)).toEqual(['separate.js'])
    const global = run('separate.js')
    // The chunks that it needs may load later.
    await expect.poll(() => global['isReplaced']).toBe(true)
  })

  test('so it does if the output consists of modules', async () => {
    const files = await build({ output: { module: true }, experiments: { outputModule: true } })
    expect(files).toEqual(['separate.mjs'])
  })

  test('so it does if page and web worker share their runtime', async () => {
    const options = '/* webpackChunkName: "separate", webpackEntryOptions: { runtime: "shared" } */'
    await write('src/main.js', `new Worker(${options} new URL('./worker.js', import.meta.url))`)
    const entry = { main: { import: './src/main.js', runtime: 'shared' } }
    expect(await build({ entry })).toEqual(['separate.js'])
  })

  test('a web worker in a web worker, and one that creates itself', async () => {
    await write('src/worker.js', `${inWorker('nested')}\nimport './early.js'`)
    await write('src/nested.js', `if (!self.isReplaced) ${inWorker('nested')}\nimport './early.js'`)
    expect(await build()).toEqual(['nested.js', 'separate.js'])
  })
  const inWorker = (file: string): string =>
    `new Worker(/* webpackChunkName: "${file}" */ new URL('./${file}.js', import.meta.url))`

  test('a CommonJS module', async () => {
    await write('src/worker.cjs', `'use strict'\nrequire('./early.js')\nmodule.exports = {}`)
    await write('src/main.js', `new Worker(${name} new URL('./worker.cjs', import.meta.url))`)
    expect(await build()).toEqual(['separate.js'])
    const global = run('separate.js')
    // The chunks that it needs may load later.
    await expect.poll(() => global['isReplaced']).toBe(true)
  })

  test('a bundle that is only for web workers', async () => {
    const plugins = [new UnderstudyWebpackPlugin({ panel: false })]
    const files = await build({ entry: { separate: './src/worker.js' }, target: 'webworker', plugins })
    expect(files).toContain('separate.js')
  })

  test('a web worker that a loader compiles separately', async () => {
    await write('src/main.js', `import './worker.js'`)
    await write('src/worker.js', `import './early.js'`)
    const rules = [
      {
        test: /worker\.js$/,
        use: join(import.meta.dirname, '../../../../test/fixtures/loaders/compile-separately.cjs'),
      },
    ]
    expect(await build({ module: { rules } })).toEqual(['separate.js'])
    const global = run('separate.js')
    // The chunks that it needs may load later.
    await expect.poll(() => global['isReplaced']).toBe(true)
  })

  test('a service worker and a worklet keep their WebSocket', async () => {
    await build()
    for (const more of [{ ServiceWorkerGlobalScope: Object }, { WorkerGlobalScope: undefined }]) {
      const global = run('separate.js', more)
      await expect.poll(() => global['isReplaced']).toBe(false)
    }
  })

  test('a build without mocks does not contain it, also after one with mocks that filled the cache', async () => {
    const cache =
      compiler === 'webpack'
        ? { cache: { type: 'filesystem', cacheDirectory: join(root, 'cache') } }
        : { cache: { type: 'persistent', storage: { type: 'filesystem', directory: join(root, 'cache') } } }
    const mode = { mode: 'production', ...cache }
    expect(await build(mode, [new UnderstudyWebpackPlugin({ enabled: true })])).toEqual(['separate.js'])
    expect(await build(mode, [new UnderstudyWebpackPlugin({ enabled: true })])).toEqual(['separate.js'])
    expect(await build(mode, [new UnderstudyWebpackPlugin()])).toEqual([])
    expect(await build(mode, [])).toEqual([])
  })
})

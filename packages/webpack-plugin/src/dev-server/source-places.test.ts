/** Tests source positions with every kind of source map of webpack and Rspack: real builds run, and create stacks. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runInThisContext } from 'node:vm'

import { rspack } from '@rspack/core'
import type { LocatedPlace } from '@understudy/panel/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import webpack from 'webpack'

import type { Compiler } from '../compiler.ts'
import { Project } from '../project.ts'
import { SourcePlaces } from './source-places.ts'

const files = {
  'package.json': '{ "name": "@of/app" }',
  'src/main.js': "import './mocks/handlers.js'\nif (globalThis.later) import('./later.js')",
  'src/later.js': '',
  'src/http.js': 'export const get = (path) => (globalThis.stacks[path] = new Error().stack.split("\\n")[2])',
  'src/mocks/handlers.js': `import { get } from '../http.js'
import { greet } from './features/greet.js'

// A comment.
get('/in/handlers')
greet()
`,
  'src/mocks/features/greet.js': `import { get } from '../../http.js'
import '../../elsewhere.js'

export function greet() {
  const path = '/in/a/feature'

  get(path)
}
`,
  'src/elsewhere.js': `import { get } from './http.js'

get('/in/another/folder')
`,
}

const expected = {
  '/in/handlers': 'src/mocks/handlers.js:5',
  '/in/a/feature': 'src/mocks/features/greet.js:7',
  '/in/another/folder': 'src/elsewhere.js:3',
}

let root: string

beforeEach(async () => {
  const parent = join(import.meta.dirname, '../../../../.tmp')
  await mkdir(parent, { recursive: true })
  root = await mkdtemp(join(parent, 'places-'))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
})

afterEach(() => rm(root, { recursive: true, force: true }))

interface RunningCompiler {
  readonly hooks: {
    readonly make: { tapPromise(name: string, act: () => Promise<void>): void }
    readonly thisCompilation: { tap(name: string, act: (compilation: object) => void): void }
    readonly done: { tap(name: string, act: () => void): void }
  }
  watch(options: object, done: (error: Error | null) => void): unknown
  close(done: (error?: Error | null) => void): void
}

/** Closed after each test: as long as a dev server runs, its compiler watches. */
let open: RunningCompiler | undefined
afterEach(() => new Promise<void>((resolve) => (open ? open.close(() => resolve()) : resolve())))

const compilers = {
  webpack: (config: object): RunningCompiler => webpack(config),
  Rspack: (config: object): RunningCompiler => rspack(config),
}

describe.each(Object.entries(compilers))('%s', (name, create) => {
  /** @returns the place of each call as a text, and a function that looks up other places */
  async function build(
    devtool: string | false | undefined,
  ): Promise<{ named: Record<string, string>; ask: (file: string) => Promise<LocatedPlace | undefined> }> {
    let places: SourcePlaces | undefined
    const plugin = {
      apply: (compiler: Compiler) => void (places = new SourcePlaces(new Project({}, compiler))),
    }
    const config = {
      context: root,
      mode: 'development',
      // Two runtimes have the same modules, and one chunk in common.
      entry: { main: './src/main.js', other: './src/main.js' },
      output: { path: join(root, 'dist'), publicPath: '/app/', uniqueName: '@of/app' },
      plugins: [plugin],
      ...(devtool !== undefined && { devtool }),
    }
    const compiler = (open = create(config))
    await new Promise<void>((resolve, reject) => {
      compiler.watch({}, (error) => {
        if (error) reject(error)
        else resolve()
      })
    })
    // Compilers still work after "done": they drop data that they no longer need.
    await setTimeout(50)
    const stacks: Record<string, string> = {}
    Object.assign(globalThis, { stacks, self: globalThis })
    runInThisContext(await readFile(join(root, 'dist/main.js'), 'utf8'), 'http://localhost:8080/app/main.js')
    const named: Record<string, string> = {}
    for (const [call, frame] of Object.entries(stacks)) {
      const [, file = '', line, column] = /(?:\(|at )([^(]+):(\d+):(\d+)\)?$/.exec(frame) ?? []
      const located = await places?.locate({ file, line: Number(line), column: Number(column) })
      named[call] = located ? `${relative(root, located.path)}:${located.line}` : `${frame} is not known`
      expect(located?.name).toBe(relative(root, located?.path ?? ''))
    }
    const ask = async (file: string): Promise<LocatedPlace | undefined> => places?.locate({ file, line: 1, column: 1 })
    return { named, ask }
  }

  test.each([
    undefined,
    'eval-source-map',
    'eval-cheap-module-source-map',
    'source-map',
    'inline-source-map',
    'hidden-source-map',
    'cheap-module-source-map',
  ])('by devtool: %o', async (devtool) => {
    expect((await build(devtool)).named).toEqual(expected)
  })

  test('without source maps, by the called function', async () => {
    const { named } = await build('eval')
    // If the compiler does not map a module, a call without a path is found only by its file.
    const feature = name === 'Rspack' ? 'src/mocks/features/greet.js:1' : expected['/in/a/feature']
    expect(named).toEqual({ ...expected, '/in/a/feature': feature })
  })

  test.each(['source-map', 'eval-source-map'])(
    'while the next compilation runs, and no place was asked for before: %s',
    async (devtool) => {
      const { ask } = await build(devtool)
      const { promise: asked, resolve } = Promise.withResolvers<unknown>()
      open?.hooks.make.tapPromise('test', async () => {
        // Rspack drops the compilation before after an unknown time.
        await setTimeout(50)
        const base = devtool === 'source-map' ? 'webpack://@of/app/' : 'webpack-internal:///'
        // Rspack answers when the compilation is done.
        ask(`${base}./src/mocks/handlers.js`).then(resolve, resolve)
      })
      await writeFile(join(root, 'src/later.js'), 'globalThis.isLater = true')
      expect(await asked).toMatchObject({ name: 'src/mocks/handlers.js', line: expect.any(Number) })
    },
  )

  test.runIf(name === 'Rspack')('a rebuild reads no modules before a place is asked for', async () => {
    const { ask } = await build('eval')
    const { promise: isRebuilt, resolve } = Promise.withResolvers<void>()
    let reads = 0
    open?.hooks.thisCompilation.tap('test', (compilation) => {
      const modules = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(compilation), 'modules')
      Object.defineProperty(compilation, 'modules', {
        get(this: object): unknown {
          reads += 1
          return modules?.get?.call(this)
        },
      })
    })
    open?.hooks.done.tap('test', resolve)
    await writeFile(join(root, 'src/later.js'), 'globalThis.isLater = true')
    await isRebuilt
    expect(reads).toBe(0)
    expect(await ask('webpack://@of/app/./src/mocks/handlers.js?')).toMatchObject({ name: 'src/mocks/handlers.js' })
    expect(reads).toBeGreaterThan(0)
  })

  test('a file that is not a module of the app is unknown', async () => {
    const { ask } = await build('eval')
    for (const file of [
      'webpack-internal:///./package.json',
      'webpack://@of/app/./package.json?',
      'file:///etc/passwd',
      '/etc/passwd',
      'http://localhost:8080/app/../package.json',
      'http://localhost:8080/app/%2e%2e%2fpackage.json',
      'http://localhost:8080/app/nothing.js',
      'http://localhost:8080/%zz',
      'nothing',
      '',
    ]) {
      expect(await ask(file).catch(() => undefined), file).toBe(undefined)
    }
    expect(await ask('webpack://@of/app/./src/main.js?')).toMatchObject({ name: 'src/main.js' })
  })
})

/** Tests which modules webpack and Rspack compile lazily: real compilations, without a page that requests modules. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

import { rspack, type RspackOptions } from '@rspack/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import webpack from 'webpack'

import type { Compiler } from './compiler.ts'
import { compileMockingEagerly } from './lazy-compilation.ts'

/** The modules that the dev server adds to entries. */
const client = 'node_modules/webpack-dev-middleware/client/index.js'

let root: string

beforeEach(async () => {
  // The compilers must not treat files as links.
  root = await realpath(await mkdtemp(join(tmpdir(), 'understudy-lazy-')))
  const files = {
    'src/main.js': "import('./one.js')\nimport('./two.js')\nimport('@understudy/engine')",
    'src/one.js': '',
    'src/two.js': '',
    [client]: '',
    'node_modules/@understudy/engine/dist/index.js': "import('@mswjs/interceptors')\nimport('graphql')",
    'node_modules/@understudy/engine/package.json': '{ "exports": "./dist/index.js" }',
    'node_modules/@mswjs/interceptors/index.js': '',
    'node_modules/graphql/index.js': '',
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
})

afterEach(() => rm(root, { recursive: true, force: true }))

interface Compiled {
  readonly compilation: { readonly modules: Iterable<{ identifier(): string }> }
}

interface Compiling {
  run(done: (error: Error | null, stats?: Compiled) => void): void
  close(done: (error?: Error | null) => void): void
}

const compilers = {
  webpack: (config: object, lazyCompilation: unknown): Compiling =>
    webpack({ ...config, experiments: { lazyCompilation } } as webpack.Configuration),
  Rspack: (config: object, lazyCompilation: unknown): Compiling => {
    const compiler = rspack({ ...config, lazyCompilation } as RspackOptions)
    // Its dev server adds this. Without it, no module is lazy.
    rspack.lazyCompilationMiddleware(compiler)
    return compiler
  },
}

describe.each(Object.entries(compilers))('%s', (name, create) => {
  /** Returns the paths of modules that are compiled when they are first requested. */
  async function listLazy(lazyCompilation: unknown): Promise<string[]> {
    const config = {
      context: root,
      mode: 'development',
      entry: [`./${client}`, './src/main.js'],
      output: { path: join(root, 'dist') },
      plugins: [{ apply: ({ options }: Compiler) => compileMockingEagerly(options) }],
    }
    const compiler = create(config, lazyCompilation)
    const compiled = await new Promise<Compiled | undefined>((resolve, reject) => {
      compiler.run((error, stats) => {
        if (error) reject(error)
        else resolve(stats)
      })
    })
    const lazy = Array.from(compiled?.compilation.modules ?? [], (module) => module.identifier())
      .filter((identifier) => identifier.startsWith('lazy-compilation-proxy|'))
      .map((identifier) => relative(root, identifier.replace(/^.*[|!]/, '').replace(/\?.*$/, '')))
    await new Promise((resolve) => compiler.close(resolve))
    return lazy.toSorted()
  }

  const cases: [name: string, lazyCompilation: unknown, lazy: string[]][] = [
    ['all of the app', true, ['src/main.js']],
    ['all but entries', { entries: false }, ['src/one.js', 'src/two.js']],
    ['what a pattern names', { entries: false, test: /one|engine/ }, ['src/one.js']],
    ['what a function says', { entries: false, test: isTwo }, ['src/two.js']],
  ]
  // Only webpack supports globs.
  const globs = { entries: false, test: { glob: ['one.js', 'engine/**'] } }
  if (name === 'webpack') cases.push(['what globs name', globs, ['src/one.js']])

  test.each(cases)('%s is lazy, mocking is not', async (_name, lazyCompilation, lazy) => {
    expect(await listLazy(lazyCompilation)).toEqual(lazy)
  })
})

const isTwo = (module: { nameForCondition(): string }): boolean => /two|engine/.test(module.nameForCondition())

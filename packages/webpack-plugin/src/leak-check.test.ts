/** Tests the check with webpack and Rspack: real builds, in memory. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { rspack } from '@rspack/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import webpack from 'webpack'

import { UnderstudyWebpackPlugin } from './understudy-webpack-plugin.ts'

type Options = ConstructorParameters<typeof UnderstudyWebpackPlugin>[0]

let root: string

beforeEach(async () => {
  // The engine can be resolved from this folder.
  const parent = join(import.meta.dirname, '../../../.tmp')
  await mkdir(parent, { recursive: true })
  root = await mkdtemp(join(parent, 'leak-'))
  await write(
    'src/mocks/handlers.js',
    "import { http } from '@understudy/engine'\nexport const handlers = [http.get('/a', () => {})]",
  )
  await write('src/main.js', "import './page.js'")
})

afterEach(() => rm(root, { recursive: true, force: true }))

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

interface Outcome {
  errors: string[]
  warnings: string[]
}

const compilers = {
  webpack: (config: object, done: (error: unknown, stats: unknown) => void) => webpack(config, done),
  Rspack: (config: object, done: (error: unknown, stats: unknown) => void) => rspack(config, done),
}

describe.each(Object.entries(compilers))('%s', (_name, compile) => {
  function build(options: Options = {}, mode = 'production', more: object = {}): Promise<Outcome> {
    const config = {
      context: root,
      mode,
      entry: './src/main.js',
      output: { path: join(root, 'dist') },
      optimization: { minimize: false },
      performance: false,
      plugins: [new UnderstudyWebpackPlugin(options)],
      ...more,
    }
    return new Promise((resolve, reject) => {
      compile(config, (error, stats) => {
        if (error) {
          reject(new Error('Failed to build: see the cause.', { cause: error }))
          return
        }
        const { errors, warnings } = (stats as { compilation: Record<keyof Outcome, Error[]> }).compilation
        const tell = (problems: Error[]): string[] => Array.from(problems, ({ message }) => message)
        resolve({ errors: tell(errors), warnings: tell(warnings) })
      })
    })
  }

  test('a build fails if app code imports the handlers, and shows the imports', async () => {
    await write('src/page.js', "import { debug } from './debug.js'\ndebug()")
    await write(
      'src/debug.js',
      "import { handlers } from './mocks/handlers.js'\nexport const debug = () => console.log(handlers)",
    )
    const { errors } = await build()
    expect(errors).toEqual([
      expect.stringContaining(
        '[understudy] Failed to leave mocks out of the build: src/debug.js imports src/mocks/handlers.js ' +
          '(src/main.js → src/page.js → src/debug.js → src/mocks/handlers.js). Remove that import',
      ),
    ])
  })

  test('a build fails for the engine, too, and for a dynamic import', async () => {
    await write('src/page.js', "import('@understudy/engine/browser').then(({ setupWorker }) => setupWorker().start())")
    const { errors } = await build()
    expect(errors).toEqual([
      expect.stringContaining(
        'src/page.js imports @understudy/engine (src/main.js → src/page.js → @understudy/engine)',
      ),
    ])
  })

  test.each([
    ['a worker', "new Worker(new URL('./beside.js', import.meta.url))"],
    ['a worker of a worker', "new Worker(new URL('./outer.js', import.meta.url))"],
    ['a shared worker', "new SharedWorker(new URL('./beside.js', import.meta.url))"],
    [
      'a worklet',
      "const { audioWorklet } = new AudioContext()\naudioWorklet.addModule(new URL('./beside.js', import.meta.url))",
    ],
    ['a service worker', "navigator.serviceWorker.register(new URL('./beside.js', import.meta.url))"],
  ])('a build fails if %s imports them', async (_what, text) => {
    await write('src/page.js', text)
    await write('src/outer.js', "new Worker(new URL('./beside.js', import.meta.url))")
    await write('src/beside.js', "import { handlers } from './mocks/handlers.js'\nconsole.log(handlers)")
    const parser = {
      javascript: {
        worker: ['SharedWorker', 'navigator.serviceWorker.register()', '*audioWorklet.addModule()', '...'],
      },
    }
    const { errors } = await build({}, 'production', { module: { parser } })
    expect(errors).toEqual([
      expect.stringContaining('Failed to leave mocks out of the build: src/beside.js imports src/mocks/handlers.js'),
    ])
  })

  test('a build fails if a loader or a plugin compiles a worker separately', async () => {
    await write('src/page.js', "import './beside.js'")
    await write('src/beside.js', "import { handlers } from './mocks/handlers.js'\nconsole.log(handlers)")
    const rules = [
      { test: /beside\.js$/, use: join(import.meta.dirname, '../../../test/fixtures/loaders/compile-separately.cjs') },
    ]
    const { errors } = await build({}, 'production', { module: { rules } })
    expect(errors).toEqual([expect.stringContaining('src/beside.js imports src/mocks/handlers.js')])
    expect(await build({ leaks: 'warn' }, 'production', { module: { rules } })).toEqual({
      errors: [],
      warnings: [expect.stringContaining('src/beside.js imports src/mocks/handlers.js')],
    })
  })

  test('a build fails if the bundle is only for workers', async () => {
    await write('src/page.js', "import './mocks/handlers.js'")
    const { errors } = await build({}, 'production', { target: 'webworker' })
    expect(errors).toEqual([expect.stringContaining('src/page.js imports src/mocks/handlers.js')])
  })

  test('a build for a server fails, too, unless the code is dropped', async () => {
    const target = 'node'
    await write('src/page.js', "import { setupServer } from '@understudy/engine/node'\nsetupServer().listen()")
    const { errors } = await build({}, 'production', { target })
    expect(errors).toEqual([expect.stringContaining('src/page.js imports @understudy/engine')])
    await write(
      'src/page.js',
      "if (process.env.NODE_ENV === 'development') import('@understudy/engine/node').then((node) => node.setupServer())",
    )
    expect(await build({}, 'production', { target })).toEqual({ errors: [], warnings: [] })
  })

  test('with "warn", a leak is reported, and the build succeeds', async () => {
    await write('src/page.js', "import './mocks/handlers.js'")
    const { errors, warnings } = await build({ leaks: 'warn' })
    expect(errors).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('src/page.js imports src/mocks/handlers.js')])
  })

  test('code that the compiler drops is not a leak', async () => {
    await write(
      'src/page.js',
      "import { http } from '@understudy/engine'\n" +
        "if (process.env.NODE_ENV === 'development') import('./mocks/handlers.js')\nexport const unused = () => http",
    )
    expect(await build()).toEqual({ errors: [], warnings: [] })
  })

  test.each([
    ['no mode', {}, { mode: undefined }, true],
    ['a mode', {}, { mode: 'production' }, false],
    ['no mode, and mocking switched off', { enabled: false }, { mode: undefined }, false],
    ['no mode, for a server', {}, { mode: undefined, target: 'node' }, false],
  ])('the terminal says why mocking is off: with %s', async (_what, options, more, isSaid) => {
    await write('src/page.js', '')
    const said: string[] = []
    const console = { warn: (...words: string[]) => said.push(words.join(' ')) }
    const infrastructureLogging = {
      console: new Proxy(globalThis.console, {
        get: (target, name) => (name === 'warn' ? console.warn : (Reflect.get(target, name) as unknown)),
      }),
    }
    await build(options, 'production', { ...more, infrastructureLogging })
    const lines = said.filter((line) => line.includes('Mocking is off, because the configuration sets no "mode"'))
    expect(lines).toHaveLength(isSaid ? 1 : 0)
  })

  test('an option that does not exist fails the build', async () => {
    await write('src/page.js', '')
    const { errors } = await build({ enable: true } as Options)
    expect(errors).toEqual([expect.stringContaining('there is no option "enable". Did you mean "enabled"?')])
  })
})

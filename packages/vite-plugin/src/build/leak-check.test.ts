import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

import * as vite8 from 'vite'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { understudy } from '../understudy.ts'

const engine = resolve(import.meta.dirname, '../../../engine')
let root: string

beforeEach(async () => {
  // This makes `import.meta.env.DEV` false.
  vi.stubEnv('NODE_ENV', 'production')
  root = await mkdtemp(join(tmpdir(), 'understudy-leak-'))
  await write({
    'index.html': '<!doctype html><script type="module" src="/src/main.ts"></script>',
    'src/main.ts': "import { debug } from './debug'; console.log(debug)",
    'src/debug.ts': 'export const debug = 1',
    'src/mocks/handlers.ts': `import { http } from '@understudy/engine'; export const handlers = [http.get('/', () => {})]`,
  })
  await mkdir(join(root, 'node_modules/@understudy'), { recursive: true })
  await symlink(engine, join(root, 'node_modules/@understudy/engine'))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(root, { recursive: true, force: true })
})

async function write(files: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
}

/** The three versions of Vite differ in types that these tests do not use. */
type Build = (config: vite8.InlineConfig) => Promise<unknown>

const versions: [string, Build][] = [
  ['Vite 6', vite6.build as unknown as Build],
  ['Vite 7', vite7.build as unknown as Build],
  ['Vite 8', vite8.build],
]

describe.each(versions)('%s', (_name, viteBuild) => {
  /** Returns the build's message about a leak; undefined without one. */
  async function build(
    options: Parameters<typeof understudy>[0] = {},
    config: vite8.InlineConfig = {},
  ): Promise<string | undefined> {
    const warnings: string[] = []
    const customLogger = vite8.createLogger('silent')
    customLogger.warn = (message) => warnings.push(message)
    try {
      await viteBuild({
        root,
        configFile: false,
        customLogger,
        ...config,
        plugins: [understudy(options)],
        build: { write: false, target: 'esnext', ...config.build },
      })
    } catch (error) {
      return (error as Error).message
    }
    return warnings.find((warning) => warning.includes('leave mocks out'))
  }

  test('app code that imports handlers fails the build, and the chain of imports is named', async () => {
    await write({ 'src/debug.ts': "import { handlers } from './mocks/handlers'; export const debug = handlers.length" })
    expect(await build()).toContain(
      'Failed to leave mocks out of the build: src/debug.ts imports src/mocks/handlers.ts ' +
        '(index.html → src/main.ts → src/debug.ts → src/mocks/handlers.ts). Remove that import',
    )
  })

  test('a dynamic import counts, and a file that only re-exports is named too', async () => {
    await write({
      'src/main.ts': "import('./debug').then(({ handlers }) => console.log(handlers))",
      'src/debug.ts': "export * from './mocks/handlers'",
    })
    expect(await build()).toContain('(index.html → src/main.ts → src/debug.ts → src/mocks/handlers.ts)')
  })

  test('a script in the page is named with the page', async () => {
    await write({ 'index.html': `<script type="module">import '/src/mocks/handlers.ts'</script>` })
    expect(await build()).toContain('index.html imports src/mocks/handlers.ts. Remove that import')
  })

  test('app code that imports the engine', async () => {
    await write({ 'src/debug.ts': "import { http } from '@understudy/engine'; export const debug = http.get" })
    expect(await build()).toContain('src/debug.ts imports @understudy/engine (index.html → src/main.ts → src/debug.ts')
  })

  test('a server that is built to import the engine', async () => {
    await write({
      'src/debug.ts': "import { setupServer } from '@understudy/engine/node'; export const debug = setupServer",
    })
    const message = await build({}, { build: { ssr: 'src/main.ts' }, ssr: { external: ['@understudy/engine'] } })
    expect(message).toContain(
      'src/debug.ts imports @understudy/engine/node (src/main.ts → src/debug.ts → @understudy/engine/node)',
    )
  })

  test('handlers of another name', async () => {
    await write({
      'src/debug.ts': "export { fakes as debug } from '../fakes'",
      'fakes.ts': 'export const fakes = [self.a]',
    })
    expect(await build({ handlers: 'fakes.ts' })).toContain('src/debug.ts imports fakes.ts (')
  })

  describe('code that runs next to the page', () => {
    // Without the engine, which would be most of each build.
    beforeEach(() => write({ 'src/mocks/handlers.ts': 'export const handlers = [self.a]' }))
    const leaking = "import { handlers } from './mocks/handlers'; console.log(handlers.length)"

    test.each([
      ['a worker by its URL', "new Worker(new URL('./beside.ts', import.meta.url), { type: 'module' })"],
      ['a classic worker by its URL', "new Worker(new URL('./beside.ts', import.meta.url))"],
      ['a shared worker by its URL', "new SharedWorker(new URL('./beside.ts', import.meta.url), { type: 'module' })"],
      ['a worker by its query', "import Beside from './beside?worker'; new Beside()"],
      ['an inline worker', "import Beside from './beside?worker&inline'; new Beside()"],
      ['a shared worker by its query', "import Beside from './beside?sharedworker'; new Beside()"],
      ['a worklet', "import url from './beside?worker&url'; new AudioContext().audioWorklet.addModule(url)"],
      [
        'a service worker',
        "import url from './beside?worker&url'; navigator.serviceWorker.register(url, { type: 'module' })",
      ],
    ])('%s', async (_what, text) => {
      await write({ 'src/debug.ts': `${text}\nexport const debug = 1`, 'src/beside.ts': leaking })
      const message = await build()
      expect(message).toContain(
        'Failed to leave mocks out of the build: src/beside.ts imports src/mocks/handlers.ts. Remove that import',
      )
      expect(await build({ leaks: 'warn' })).toContain('src/beside.ts imports src/mocks/handlers.ts')
      expect(await build({ enabled: true })).toBe(undefined)
    })

    test('a worker of a worker, together with plugins of the app', async () => {
      await write({
        'src/debug.ts':
          "new Worker(new URL('./outer.ts', import.meta.url), { type: 'module' }); export const debug = 1",
        'src/outer.ts': "new Worker(new URL('./beside.ts', import.meta.url), { type: 'module' })",
        'src/beside.ts':
          "import { x } from 'virtual:x'; import { http } from '@understudy/engine'; console.log(x, http.get)",
      })
      const own = {
        name: 'own',
        resolveId: (id: string) => (id === 'virtual:x' ? id : undefined),
        load: (id: string) => (id === 'virtual:x' ? 'export const x = 1' : undefined),
      }
      expect(await build({}, { worker: { format: 'es', plugins: () => [own] } })).toContain(
        'src/beside.ts imports @understudy/engine. Remove that import',
      )
    })

    test('a worker that imports no mocks', async () => {
      await write({
        'src/debug.ts': "new Worker(new URL('./beside.ts', import.meta.url)); export const debug = 1",
        'src/beside.ts': "import type { http } from '@understudy/engine'; console.log(1 as unknown as typeof http)",
      })
      expect(await build()).toBe(undefined)
    })
  })

  test('"warn" prints a warning, and the build succeeds', async () => {
    await write({ 'src/debug.ts': "import { handlers } from './mocks/handlers'; export const debug = handlers.length" })
    expect(await build({ leaks: 'warn' })).toContain('src/debug.ts imports src/mocks/handlers.ts')
  })

  test('a build with mocks gets no warning', async () => {
    await write({ 'src/debug.ts': "import { handlers } from './mocks/handlers'; export const debug = handlers.length" })
    expect(await build({ enabled: true })).toBe(undefined)
  })

  test.each([
    [
      'types',
      "import type { http } from '@understudy/engine'; export const debug: typeof http | undefined = undefined",
    ],
    [
      'an import of which only types are used',
      "import { http } from '@understudy/engine'; export const debug: typeof http | undefined = undefined",
    ],
    [
      'a branch that runs only in development',
      "if (import.meta.env.DEV) await import('./mocks/handlers'); export const debug = 1",
    ],
    [
      'a function that ends before, but in development',
      `async function start() {
        if (!import.meta.env.DEV) return
        const { handlers } = await import('./mocks/handlers')
        console.log(handlers)
      }
      await start()
      export const debug = 1`,
    ],
    [
      'an unused export',
      `import { http, HttpResponse } from '@understudy/engine'
      export const answer = () => http.get('/', () => HttpResponse.json(1))
      export const debug = 1`,
    ],
  ])('%s: dropped by the bundler, and no leak', async (_what, text) => {
    await write({ 'src/debug.ts': text })
    expect(await build()).toBe(undefined)
  })
})

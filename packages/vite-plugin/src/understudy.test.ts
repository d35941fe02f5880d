import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { build, createLogger, createServer, type InlineConfig, type PluginOption } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { understudy } from './understudy.ts'

const handlersFile = 'src/mocks/handlers.ts'
const endings: (() => Promise<unknown>)[] = []
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'understudy-vite-'))
  endings.push(() => rm(root, { recursive: true, force: true }))
  await write('index.html', '<!doctype html><html><head><title>App</title></head><body></body></html>')
  await write(handlersFile, 'export const handlers = []')
})

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

type Options = Parameters<typeof understudy>[0]

function configure(plugin: PluginOption, config: InlineConfig): InlineConfig & { said: string[] } {
  const said: string[] = []
  const customLogger = createLogger('silent')
  customLogger.error = (message) => said.push(message)
  // These tests do not need the app's dependencies to be optimized.
  const optimizeDeps = { noDiscovery: true, include: [] }
  return { root, configFile: false, customLogger, plugins: [plugin], optimizeDeps, ...config, said }
}

interface Started {
  /** The errors in the terminal. */
  said: readonly string[]
  get(path: string, method?: string): Promise<Response>
}

async function start(options: Options, config: InlineConfig = {}): Promise<Started> {
  const { said, ...inline } = configure(understudy(options), config)
  const server = await createServer({ ...inline, server: { ...inline.server, port: 0, host: '127.0.0.1' } })
  endings.push(() => server.close())
  await server.listen()
  const [address = ''] = server.resolvedUrls?.local ?? []
  return { said, get: (path, method = 'GET') => fetch(new URL(path, address), { method }) }
}

test.each([
  ['/', '/'],
  ['/app/', '/app/'],
  ['./', '/'],
  ['', '/'],
  ['https://cdn.example.com/assets/', '/assets/'],
])('serves the worker under the base "%s"', async (base, path) => {
  const { get } = await start({}, { base })
  const response = await get(`${path}understudy-worker.js?understudy-probe`)
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('service-worker-allowed')).toBe(path)
  expect(await response.text()).toContain('understudy:connect')
})

test('serves the worker under another name and for another scope', async () => {
  const { get } = await start({ worker: { file: 'mocks/sw.js', scope: '/' } }, { base: '/app/' })
  const response = await get('/app/mocks/sw.js', 'HEAD')
  expect(response.headers.get('service-worker-allowed')).toBe('/')
  expect(await response.text()).toBe('')
  expect(response.status).toBe(200)
  expect((await get('/app/understudy-worker.js')).headers.get('content-type')).not.toContain('javascript')
})

test('does not answer requests that only look like the one for the worker', async () => {
  const { get } = await start({})
  const response = await get('/understudy-worker.js', 'POST')
  expect(await response.text()).not.toContain('understudy:connect')
})

test('with enabled: false, serves a worker that removes itself, and does not change pages', async () => {
  const { get } = await start({ enabled: false })
  expect(await (await get('/understudy-worker.js')).text()).toContain('registration.unregister()')
  expect(await (await get('/')).text()).not.toContain('understudy')
})

test('inserts the gate before every other script of a page, including those of later plugins', async () => {
  const late: PluginOption = {
    name: 'late',
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', children: 'late()', injectTo: 'head-prepend' }],
    },
  }
  const { get } = await start({}, { plugins: [understudy(), late] })
  const scripts = (await (await get('/')).text()).match(/<script[^>]*>[^<]{0,40}/g) ?? []
  const indexOf = (text: string): number => scripts.findIndex((script) => script.includes(text))
  expect(scripts.length).toBeGreaterThanOrEqual(4)
  expect(indexOf('virtual:understudy/bootstrap')).toBeLessThan(indexOf('/@vite/client'))
  expect(scripts[0]).not.toMatch(/src=|late/)
})

test('prints an error in the terminal once', async () => {
  const { said, get } = await start({ handler: handlersFile } as Options)
  await get('/')
  await get('/@id/__x00__virtual:understudy/bootstrap')
  expect(said.filter((line) => line.includes('[understudy]'))).toEqual([
    expect.stringContaining('there is no option "handler". Did you mean "handlers"?'),
  ])
})

test('a build for a server gets no worker', async () => {
  await write('src/server.js', 'export const answer = 42')
  const config = configure(understudy({ enabled: true }), { build: { ssr: 'src/server.js', emitAssets: true } })
  await build(config)
  expect(await readdir(join(root, 'dist'), { recursive: true })).toEqual(['server.mjs'])
})

test('a library has no page, so that its build contains no worker, also with mocks', async () => {
  await write('src/library.ts', 'export const add = (a: number, b: number) => a + b')
  const lib = { entry: join(root, 'src/library.ts'), formats: ['es' as const], fileName: 'library' }
  await build(configure(understudy({ enabled: true }), { build: { lib } }))
  expect(await readdir(join(root, 'dist'))).toEqual(['library.mjs'])
})

test('a build fails if an entry does not exist, and suggests the closest one', async () => {
  await write('src/main.ts', 'export {}')
  const config = configure(understudy({ enabled: true, entry: 'src/mian.ts' }), {})
  await expect(build(config)).rejects.toThrow(
    /Failed to find the app's entry: the file src\/mian\.ts of the option "entry" does not exist in .*Did you mean "src\/main\.ts"\?/,
  )
})

test('a module that an HTML page refers to next to others is not an entry, because it may be a worker', async () => {
  await write('src/worker.ts', 'globalThis.answer = 42')
  const { get } = await start({}, { build: { rolldownOptions: { input: ['index.html', 'src/worker.ts'] } } })
  expect(await (await get('/src/worker.ts')).text()).not.toContain('understudy')
})

test('a build fails if an option does not exist', async () => {
  const config = configure(understudy({ enable: true } as Options), {})
  await expect(build(config)).rejects.toThrow('there is no option "enable". Did you mean "enabled"?')
})

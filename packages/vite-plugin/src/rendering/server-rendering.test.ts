import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createServer, createLogger, DevEnvironment, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createRoot } from '../testing/create-root.ts'
import { understudy } from '../understudy.ts'

let root: string
let server: ViteDevServer
const said: string[] = []

beforeEach(async () => {
  root = await createRoot()
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await writeFile(
    join(root, 'src/mocks/handlers.ts'),
    `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('http://backend.test/user', () => HttpResponse.text('Ada'))]`,
  )
  await writeFile(join(root, 'index.html'), '<!doctype html><title>App</title>')
  await writeFile(
    join(root, 'src/render.ts'),
    `export const render = async () => (await fetch('http://backend.test/user')).text()`,
  )
  said.length = 0
  const customLogger = createLogger('silent')
  customLogger.info = (message) => said.push(message)
  for (const method of ['debug', 'log', 'info'] as const) {
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => void said.push(words.join(' ')))
  }
  server = await createServer({
    root,
    configFile: false,
    customLogger,
    plugins: [understudy()],
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { port: 0, host: '127.0.0.1' },
  })
  await server.listen()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await server.close()
})

test('a project without server rendering gets no message about a connection for it', async () => {
  const [address = ''] = server.resolvedUrls?.local ?? []
  const page = await fetch(address, { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } })
  expect(page.status).toBe(200)
  expect(said.filter((line) => line.includes('connected'))).toEqual([])
})

test.each([
  ['runner.import', (url: string) => (server.environments.ssr as { runner?: Importer }).runner?.import(url)],
  ['ssrLoadModule', (url: string) => server.ssrLoadModule(url)],
])('modules that %s evaluates are mocked from the first on', async (_name, load) => {
  const { render } = (await load('/src/render.ts')) as { render(): Promise<string> }
  expect(await render()).toBe('Ada')
})

test('handlers of many paths do not answer requests for the data of a page that Analog makes while it renders', async () => {
  await server.close()
  await writeFile(
    join(root, 'src/mocks/handlers.ts'),
    `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('*', () => HttpResponse.text('mocked')), http.get('/api/*', () => HttpResponse.text('mocked'))]`,
  )
  await writeFile(join(root, 'src/render.ts'), 'export const render = async (url) => (await fetch(url)).text()')
  const warn = vi.spyOn(console, 'warn').mockImplementation((...words: unknown[]) => void said.push(words.join(' ')))
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      understudy(),
      {
        // Only the name: Analog's plugin needs Angular.
        name: '@analogjs/vite-plugin-nitro',
        configureServer({ middlewares }) {
          middlewares.use((request, response, next) => {
            if (request.url?.startsWith('/api/')) response.end('from the server')
            else next()
          })
        },
      },
    ],
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { port: 0, host: '127.0.0.1' },
  })
  await server.listen()
  const [address = ''] = server.resolvedUrls?.local ?? []
  const { render } = (await server.ssrLoadModule('/src/render.ts')) as { render(url: string): Promise<string> }
  expect(await render(`${address}api/_analog/pages/index`)).toBe('from the server')
  expect(await render(`${address}api/users`)).toBe('mocked')
  expect(warn.mock.calls.flat().join()).not.toContain('_analog')
})

test('an environment for web workers evaluates no handlers if another runtime runs the code', async () => {
  // RedwoodSDK's configuration: the environment "worker" evaluates the modules of "ssr" in workerd, which has no modules of Node.
  const customLogger = createLogger('silent')
  customLogger.warn = (message) => said.push(message)
  customLogger.error = (message) => said.push(message)
  const other = await createServer({
    root,
    configFile: false,
    customLogger,
    plugins: [understudy()],
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { port: 0, host: '127.0.0.1' },
    ssr: { target: 'webworker' },
    environments: {
      ssr: { resolve: { noExternal: true } },
      worker: {
        consumer: 'server',
        dev: { createEnvironment: (name, config) => new DevEnvironment(name, config, { hot: false }) },
      },
    },
  })
  try {
    await other.listen()
    const [address = ''] = other.resolvedUrls?.local ?? []
    const page = await fetch(`${address}users`, { headers: { accept: 'text/html', 'upgrade-insecure-requests': '1' } })
    expect(await page.text()).toContain('data-understudy-gate')
    expect([...(other.environments.ssr?.moduleGraph.idToModuleMap.keys() ?? [])]).toEqual([])
    expect(said.filter((line) => line.includes('understudy'))).toEqual([expect.stringContaining('US0809')])
  } finally {
    await other.close()
  }
})

interface Importer {
  import(url: string): Promise<unknown>
}

import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { createServer, type Connect, type Plugin, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createRoot } from '../testing/create-root.ts'
import { understudy } from '../understudy.ts'

/** Dev servers in middleware mode, as in a server of an app's own, whose connections survive a restart. */
const servers: { vite: ViteDevServer; http: Server }[] = []
/** The server that requests reach that no handler answers. */
let network: Server
let requested: string[]

beforeEach(async () => {
  requested = []
  network = createHttpServer(({ url = '' }, response) => {
    requested.push(url)
    response.end('network')
  })
  await listen(network)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

afterEach(async () => {
  vi.restoreAllMocks()
  for (const { vite, http } of servers.splice(0)) {
    http.closeAllConnections()
    http.close()
    await vite.close()
  }
  network.closeAllConnections()
  network.close()
})

test('each of two dev servers answers the requests of its own app, and goes on when the other one closes', async () => {
  const ada = await startApp('ada')
  const grace = await startApp('grace')
  expect([await ada.visit(), await grace.visit(), await ada.visit()]).toEqual(['ada', 'grace', 'ada'])
  await ada.vite.close()
  expect(await grace.visit()).toBe('grace')
  const joan = await startApp('joan')
  expect([await grace.visit(), await joan.visit()]).toEqual(['grace', 'joan'])
  await joan.vite.restart()
  expect([await grace.visit(), await joan.visit()]).toEqual(['grace', 'joan'])
  await joan.vite.close()
  expect(await grace.visit()).toBe('grace')
  expect(requested).toEqual([])
})

test('code that loaded modules of two dev servers gets the responses of both', async () => {
  const ada = await startApp('ada')
  const grace = await startApp('grace')
  await writeFile(
    join(grace.root, 'src/mocks/handlers.ts'),
    `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('*/other', () => HttpResponse.text('grace'))]`,
  )
  const { render } = await ada.load()
  const other = await grace.load()
  expect(await render()).toBe('ada')
  expect(await other.render('/other')).toBe('grace')
  await grace.vite.close()
  expect(await render()).toBe('ada')
  await ada.vite.close()
  expect(await render()).toBe('network')
})

test.each([
  ['one restart', 1],
  ['two restarts in a row', 2],
  ['two restarts at the same time', 0],
])('a request that is being rendered during %s is mocked', async (_name, count) => {
  const app = await startApp('ada')
  const before = await app.visitSlowly()
  if (count === 0) await Promise.all([app.vite.restart(), app.vite.restart()])
  for (let index = 0; index < count; index++) await app.vite.restart()
  expect(await before.finish()).toBe('ada')
  // After the restart, the new server answers the requests of a page that the old one renders.
  const second = await app.visitSlowly()
  await app.vite.restart()
  expect(await app.visit()).toBe('ada')
  expect(await second.finish()).toBe('ada')
  expect(requested).toEqual([])
  await app.vite.close()
  expect(await (await fetch(`http://127.0.0.1:${portOf(network)}/user`)).text()).toBe('network')
})

test('a restart that fails does not end mocking', async () => {
  let isBroken = false
  const breaks: Plugin = {
    name: 'breaks',
    configureServer() {
      if (isBroken) throw new Error('broken')
    },
  }
  const app = await startApp('ada', [breaks])
  const slow = await app.visitSlowly()
  isBroken = true
  await app.vite.restart()
  expect(await app.visit()).toBe('ada')
  isBroken = false
  await app.vite.restart()
  expect(await slow.finish()).toBe('ada')
  expect(await app.visit()).toBe('ada')
  expect(requested).toEqual([])
})

interface App {
  readonly root: string
  readonly vite: ViteDevServer
  load(): Promise<{ render(path?: string): Promise<string> }>
  visit(): Promise<string>
  /** Visits a page that makes its request when `finish()` is called. */
  visitSlowly(): Promise<{ finish(): Promise<string> }>
}

async function startApp(name: string, plugins: Plugin[] = []): Promise<App> {
  const root = await createRoot()
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await writeFile(
    join(root, 'src/mocks/handlers.ts'),
    `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('*/user', () => HttpResponse.text('${name}'))]`,
  )
  await writeFile(
    join(root, 'src/render.ts'),
    `export const render = async (path = '/user') => (await fetch('http://127.0.0.1:${portOf(network)}' + path)).text()`,
  )
  let release = Promise.withResolvers<void>()
  let arrived = Promise.withResolvers<void>()
  const vite = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    appType: 'custom',
    plugins: [understudy(), ...plugins],
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { middlewareMode: true, ws: false, watch: null },
  })
  const load = (): ReturnType<App['load']> => vite.ssrLoadModule('/src/render.ts') as ReturnType<App['load']>
  const render: Connect.SimpleHandleFunction = (request, response) => {
    const run = async (): Promise<string> => {
      const module = await load()
      if (request.url === '/slow') {
        arrived.resolve()
        await release.promise
      }
      return module.render()
    }
    run().then(
      (text) => response.end(text),
      (error: unknown) => response.end(String(error)),
    )
  }
  const http = createHttpServer((request, response) => {
    vite.middlewares(request, response, () => render(request, response))
  })
  await listen(http)
  servers.push({ vite, http })
  const get = async (path: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${portOf(http)}${path}`, { headers: { accept: 'text/html' } })
    return response.text()
  }
  return {
    root,
    vite,
    load,
    visit: () => get('/'),
    async visitSlowly() {
      release = Promise.withResolvers()
      arrived = Promise.withResolvers()
      const text = get('/slow')
      await arrived.promise
      return {
        finish() {
          release.resolve()
          return text
        },
      }
    },
  }
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { http, HttpResponse, passthrough } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

// Some clients resolve the name of a server themselves, and connect to its address. `interceptors.dns()` of undici 6 and 7
// does. Only the header `Host` contains the name.

interface Dispatcher {
  dispatch: (options: { origin: unknown; headers: unknown }, handler: unknown) => boolean
}

const backend = createServer((_request, response) => response.end('real'))
const server = setupServer()
const unhandled: string[] = []
let port = 0

beforeAll(async () => {
  await once(backend.listen(0, '127.0.0.1'), 'listening')
  port = (backend.address() as AddressInfo).port
  server.listen({ onUnhandledRequest: ({ url }) => void unhandled.push(url) })
})
afterEach(() => {
  server.resetHandlers()
  unhandled.length = 0
})
afterAll(() => {
  server.close()
  backend.close()
})

async function ask(path: string, host: string): Promise<string> {
  const request = get({ host: '127.0.0.1', port, path, headers: { host }, agent: false })
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  return text(message)
}

test('a handler for a name answers a client that connects to the address of the name', async () => {
  server.use(http.get(`http://api.example:${port}/user`, ({ request }) => HttpResponse.text(request.url)))
  expect(await ask('/user', `api.example:${port}`)).toBe(`http://api.example:${port}/user`)
  expect(unhandled).toEqual([])
})

test('a name without the port of the connection has that port, because undici 6 leaves it out', async () => {
  server.use(
    http.get('http://api.example/user', () => HttpResponse.text('default port')),
    http.get(`http://api.example:${port}/user`, ({ request }) => HttpResponse.text(request.url)),
  )
  expect(await ask('/user', 'api.example')).toBe(`http://api.example:${port}/user`)
  server.resetHandlers()
  server.use(http.get('http://api.example/user', () => HttpResponse.text('default port')))
  expect(await ask('/user', 'api.example')).toBe('real')
})

test('a handler for the address goes first', async () => {
  server.use(
    http.get(`http://api.example:${port}/user`, () => HttpResponse.text('name')),
    http.get(`http://127.0.0.1:${port}/user`, () => HttpResponse.text('address')),
  )
  expect(await ask('/user', `api.example:${port}`)).toBe('address')
})

test('a request that a handler for the name passes through reaches the address', async () => {
  server.use(http.get(`http://api.example:${port}/user`, () => passthrough()))
  expect(await ask('/user', `api.example:${port}`)).toBe('real')
})

test('a request that no handler matches keeps the address, and reaches it', async () => {
  server.use(http.get(`http://api.example:${port}/user`, () => HttpResponse.text('name')))
  expect(await ask('/other', `api.example:${port}`)).toBe('real')
  expect(unhandled).toEqual([`http://127.0.0.1:${port}/other`])
})

test.each([
  () => 'api.example:1',
  () => `%zz:${port}`,
  () => `a b:${port}`,
  () => `x@api.example:${port}`,
  () => `api.example:${port}/y`,
  () => `127.0.0.2:${port}`,
])('the host of %s names no server at the port of the connection: the request reaches the address', async (host) => {
  server.use(http.get('http://api.example/user', () => HttpResponse.text('name')))
  server.use(http.get(`http://api.example:${port}/*`, () => HttpResponse.text('name')))
  server.use(http.get(`http://127.0.0.2:${port}/user`, () => HttpResponse.text('name')))
  expect(await ask('/user', host())).toBe('real')
})

test('an unhandled request of fetch is decided once, if its dispatcher connects to the address', async () => {
  await fetch(`http://127.0.0.1:${port}/`)
  unhandled.length = 0
  const agent = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as Dispatcher
  const dispatcher: Dispatcher = {
    dispatch(options, handler) {
      const headers = { host: `api.example:${port}` }
      return agent.dispatch({ ...options, origin: `http://127.0.0.1:${port}`, headers }, handler)
    },
  }
  const response = await fetch(`http://api.example:${port}/user`, { dispatcher } as unknown as RequestInit)
  expect(await response.text()).toBe('real')
  expect(unhandled).toEqual([`http://api.example:${port}/user`])
})

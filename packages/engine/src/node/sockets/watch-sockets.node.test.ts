import { once } from 'node:events'
import { Agent, createServer, get, request, type IncomingMessage } from 'node:http'
import { connect, Socket, type AddressInfo, type LookupFunction } from 'node:net'
import { text } from 'node:stream/consumers'

import {
  Client,
  fetch as fetchOfUndici,
  getGlobalDispatcher,
  Pool,
  request as requestOfUndici,
  setGlobalDispatcher,
  Agent as UndiciAgent,
} from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { http, HttpResponse, passthrough } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

let reached = 0
const backend = createServer((_request, response) => {
  reached += 1
  response.end('real')
})
const server = setupServer(http.get('*/user', () => HttpResponse.text('mocked')))
let port = 0
let origin = ''

beforeAll(async () => {
  await once(backend.listen(0), 'listening')
  port = (backend.address() as AddressInfo).port
  origin = `http://localhost:${port}`
})
afterEach(() => {
  server.close()
  server.resetHandlers()
  reached = 0
})
afterAll(() => {
  backend.close()
  backend.closeAllConnections()
})

async function ask(agent?: Agent, path = '/user'): Promise<string> {
  const message = get(`${origin}${path}`, { ...(agent && { agent }) })
  const [response] = (await once(message, 'response')) as [IncomingMessage]
  return text(response)
}

describe('a connection from before listen() is answered here', () => {
  test('of an agent of Node', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await ask(agent)).toBe('real')
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await ask(agent)).toBe('mocked')
    expect(await ask(agent, '/other')).toBe('real')
    expect(await ask(agent)).toBe('mocked')
    expect(reached).toBe(2)
    agent.destroy()
  })

  test.each([
    ['Agent', () => new UndiciAgent({ connections: 1 })],
    ['Client', () => new Client(origin)],
    ['Pool', () => new Pool(origin, { connections: 1 })],
  ])("of undici's %s, also between close() and the next listen()", async (_name, create) => {
    const dispatcher = create()
    const read = async (path = '/user'): Promise<string> =>
      (await dispatcher.request({ origin, path, method: 'GET' })).body.text()
    expect(await read()).toBe('real')
    server.listen({ onUnhandledRequest: 'bypass' })
    expect([await read(), await read('/other'), await read()]).toEqual(['mocked', 'real', 'mocked'])
    server.close()
    expect(await read()).toBe('real')
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await read()).toBe('mocked')
    expect(reached).toBe(3)
    await dispatcher.destroy()
  })
})

test('connections from before listen() of a dispatcher that setGlobalDispatcher() has set are answered here', async () => {
  const before = getGlobalDispatcher()
  const clients: Record<string, (url: string) => Promise<string>> = {
    'request of undici': async (url) => (await requestOfUndici(url)).body.text(),
    'fetch of undici': async (url) => (await fetchOfUndici(url)).text(),
    'fetch of Node': async (url) => (await fetch(url)).text(),
  }
  for (const [name, read] of Object.entries(clients)) {
    const dispatcher = new UndiciAgent({ connections: 1 })
    setGlobalDispatcher(dispatcher)
    expect(await read(`${origin}/user`), name).toBe('real')
    server.listen({ onUnhandledRequest: 'bypass' })
    expect([await read(`${origin}/user`), await read(`${origin}/other`)], name).toEqual(['mocked', 'real'])
    server.close()
    expect(await read(`${origin}/user`), name).toBe('real')
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await read(`${origin}/user`), name).toBe('mocked')
    server.close()
    setGlobalDispatcher(before)
    await dispatcher.destroy()
  }
})

test('a connection from before close() is not used afterwards', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  server.listen()
  expect(await ask(agent)).toBe('mocked')
  server.close()
  expect(await ask(agent)).toBe('real')
  agent.destroy()
})

test('servers restore everything when they close', async () => {
  const { connect: before } = Socket.prototype
  const other = setupServer(http.get('*/user', () => HttpResponse.text('other')))
  server.listen()
  other.listen()
  expect(await ask()).toBe('other')
  other.close()
  expect(await ask()).toBe('mocked')
  server.close()
  expect(Socket.prototype.connect).toBe(before)
  expect(await ask()).toBe('real')
})

test('a later replacement by other code stays, and works', async () => {
  server.listen()
  const { connect: ours } = Socket.prototype
  const theirs = function (this: Socket, ...args: Parameters<typeof ours>) {
    return Reflect.apply(ours, this, args)
  }
  Socket.prototype.connect = theirs as typeof ours
  expect(await ask()).toBe('mocked')
  server.close()
  expect(Socket.prototype.connect).toBe(theirs)
  expect(await ask()).toBe('real')
  Socket.prototype.connect = ours
})

test('an agent forgets the socket of a response that closes its connection', async () => {
  server.listen({ onUnhandledRequest: 'error' })
  const agent = new Agent({ keepAlive: true, maxSockets: 2 })
  for (const connection of ['close', 'TE, close', 'keep-alive', 'close']) {
    const message = request(`${origin}/user`, { agent, headers: { Connection: connection } })
    message.end()
    const [response] = (await once(message, 'response')) as [IncomingMessage]
    expect(await text(response)).toBe('mocked')
  }
  expect(await ask(agent)).toBe('mocked')
  expect(reached).toBe(0)
  agent.destroy()
})

test('requests are answered in their order on one connection', async () => {
  server.use(
    http.get('*/slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return HttpResponse.text('slow')
    }),
  )
  server.listen({ onUnhandledRequest: 'bypass' })
  const socket = connect(port, 'localhost')
  const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n${more}\r\n`
  socket.write(head('/slow') + head('/other') + head('/user', 'Connection: close\r\n'))
  const bodies = (await text(socket)).split('\r\n\r\n').map((part) => part.split('HTTP/1.1', 1)[0])
  expect(bodies.filter((body) => body !== '')).toEqual(['slow', 'real', 'mocked'])
})

test.each(['http', 'https'])('a request of a "lookup" function for %s is decided, too', async (scheme) => {
  server.use(http.all('*/passed', () => passthrough()))
  server.listen({ onUnhandledRequest: 'error' })
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const asked: string[] = []
  const { get: getBy } = scheme === 'http' ? await import('node:http') : await import('node:https')
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const nested = get(`http://127.0.0.1:${port}/address`, { agent: false })
    const end = (result: string): void => {
      asked.push(result)
      if (all) callback(null, [{ address: '127.0.0.1', family: 4 }])
      else callback(null, '127.0.0.1', 4)
    }
    nested.once('response', () => end('real'))
    nested.once('error', ({ message }) => end(message))
  }
  const message = getBy(`${scheme}://localhost:${port}/passed`, { agent: false, lookup })
  const end = new Promise((resolve) => message.once('close', resolve))
  // The server of this file does not support TLS.
  message.on('error', () => {})
  message.on('response', (response: IncomingMessage) => response.resume())
  await end
  expect(asked).toEqual([expect.stringContaining(`GET http://127.0.0.1:${port}/address: no handler matches it`)])
  error.mockRestore()
})

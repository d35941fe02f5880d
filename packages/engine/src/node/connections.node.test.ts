import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request, type IncomingMessage, type RequestOptions, type Server } from 'node:http'
import { connect, createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { Pool } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { http, HttpResponse, delay } from '../index.ts'
import { setupServer } from './setup-server.ts'

const server = setupServer()
/** Responds with `real`, the path, and the received body. */
const backend = createServer((incoming, outgoing) => {
  void text(incoming).then((body) => outgoing.end(`real ${incoming.url}${body && ` ${body}`}`))
})
let origin = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, 'localhost', resolve))
  origin = `http://localhost:${(backend.address() as AddressInfo).port}`
  server.listen({ onUnhandledRequest: 'bypass' })
})
afterEach(() => server.resetHandlers())
afterAll(() => {
  server.close()
  end(backend)
})

function end(listening: Server): void {
  listening.close()
  listening.closeAllConnections()
}

async function ask(options: RequestOptions | string): Promise<string> {
  const message = request(options)
  message.end()
  const [response] = (await once(message, 'response')) as [IncomingMessage]
  return text(response)
}

test('a kept connection alternately carries mocked and real requests', async () => {
  let count = 0
  server.use(http.get(`${origin}/mocked`, () => HttpResponse.text(`mocked ${(count += 1)}`)))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const paths = ['/mocked', '/real', '/mocked', '/real', '/mocked']
  const { hostname, port } = new URL(origin)
  const answers = await Promise.all(paths.map((path) => ask({ hostname, port, path, agent })))
  expect(answers).toEqual(['mocked 1', 'real /real', 'mocked 2', 'real /real', 'mocked 3'])
  agent.destroy()
})

test('a pipelined connection alternately carries mocked and real requests', async () => {
  let count = 0
  server.use(http.get(`${origin}/mocked`, () => HttpResponse.text(`mocked ${(count += 1)}`)))
  const pool = new Pool(origin, { connections: 1, pipelining: 5 })
  const paths = ['/mocked', '/real', '/mocked', '/real', '/mocked']
  const answers = await Promise.all(
    paths.map(async (path) => (await pool.request({ path, method: 'GET' })).body.text()),
  )
  expect(answers).toEqual(['mocked 1', 'real /real', 'mocked 2', 'real /real', 'mocked 3'])
  await pool.destroy()
})

test('a socket of the file system is mocked like other hosts', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'understudy-'))
  const socketPath = join(directory, 'socket')
  const local = createServer((incoming, outgoing) => outgoing.end(`local ${incoming.url}`))
  await new Promise<void>((resolve) => local.listen(socketPath, resolve))
  server.use(http.get('*/mocked', () => HttpResponse.text('mocked')))
  expect(await ask({ socketPath, path: '/real' })).toBe('local /real')
  expect(await ask({ socketPath, path: '/mocked' })).toBe('mocked')
  end(local)
  await rm(directory, { recursive: true })
})

test('a host may be an IPv6 address', async () => {
  server.use(http.get('http://[::1]:9/user', () => HttpResponse.text('mocked')))
  expect(await ask('http://[::1]:9/user')).toBe('mocked')
  expect(await (await fetch('http://[::1]:9/user')).text()).toBe('mocked')
})

test('a name and a password in a URL are its authorization', async () => {
  server.use(
    http.get('http://a.test/user', ({ request: { headers } }) => HttpResponse.text(headers.get('authorization'))),
  )
  expect(await ask('http://Ada:s%20b@a.test/user')).toBe(`Basic ${btoa('Ada:s b')}`)
})

test('a timeout of the client ends while a resolver runs', async () => {
  server.use(http.get('http://a.test/slow', () => delay('infinite') as never))
  const message = request('http://a.test/slow', { timeout: 20 })
  message.end()
  await once(message, 'timeout')
  message.destroy()
  expect(await once(message, 'error')).toMatchObject([{ code: 'ECONNRESET' }])
})

describe('a client that waits for 100 Continue', () => {
  async function sendWhenTold(url: string): Promise<string> {
    const message = request(url, { method: 'POST', headers: { Expect: '100-continue' } })
    let told = 0
    message.on('continue', () => {
      told += 1
      message.end('body')
    })
    message.flushHeaders()
    const [response] = (await once(message, 'response')) as [IncomingMessage]
    return `${await text(response)}, told ${told} times`
  }

  test('gets it if the resolver reads the body', async () => {
    server.use(http.post('http://a.test/upload', async ({ request: sent }) => HttpResponse.text(await sent.text())))
    expect(await sendWhenTold('http://a.test/upload')).toBe('body, told 1 times')
  })

  test('gets it once if the request then goes to the network', async () => {
    expect(await sendWhenTold(`${origin}/upload`)).toBe('real /upload body, told 1 times')
    server.use(http.post(`${origin}/upload`, async ({ request: sent }) => void (await sent.text())))
    expect(await sendWhenTold(`${origin}/upload`)).toBe('real /upload body, told 1 times')
  })
})

describe('a connection that is not HTTP is not intercepted', () => {
  test('if the server sends first', async () => {
    const greeter = createSocketServer((socket) => socket.end('220 ready\r\n'))
    await new Promise<void>((resolve) => greeter.listen(0, 'localhost', resolve))
    expect(await text(connect((greeter.address() as AddressInfo).port, 'localhost'))).toBe('220 ready\r\n')
    greeter.close()
  })

  test('if another protocol follows', async () => {
    server.use(http.get('*/other', () => {}))
    const upgrading = createServer().on('upgrade', (_request, socket: Socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: own\r\nConnection: Upgrade\r\n\r\nhello')
    })
    await new Promise<void>((resolve) => upgrading.listen(0, 'localhost', resolve))
    const { port } = upgrading.address() as AddressInfo
    const message = request({ port, headers: { Connection: 'Upgrade', Upgrade: 'own' } })
    message.end()
    const [, socket, head] = (await once(message, 'upgrade')) as [IncomingMessage, Socket, Buffer]
    expect(head.toString() + (await text(socket))).toBe('hello')
    upgrading.close()
  })
})

test('100 MB are uploaded and downloaded', { timeout: 60_000 }, async () => {
  server.use(
    http.post('http://a.test/big', async ({ request: sent }) => HttpResponse.arrayBuffer(await sent.arrayBuffer())),
  )
  const chunk = Buffer.alloc(1024 * 1024, 'understudy')
  const message = request('http://a.test/big', { method: 'POST' })
  const answered = once(message, 'response')
  for (let count = 0; count < 100; count += 1) {
    if (!message.write(chunk)) await once(message, 'drain')
  }
  message.end()
  const [response] = (await answered) as [IncomingMessage]
  let length = 0
  for await (const piece of response) length += (piece as Buffer).length
  expect(length).toBe(100 * chunk.length)
})

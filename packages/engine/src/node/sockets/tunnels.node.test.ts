import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createSocketServer, type AddressInfo, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'

import { ProxyAgent, request } from 'undici'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { certificate } from '../../../../../test/certificate.ts'
import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const server = setupServer(
  http.get('https://api.test/user', () => HttpResponse.text('mocked')),
  http.get('http://api.test/user', () => HttpResponse.text('mocked, plain')),
)
const backend = createSecureServer(certificate, (incoming, outgoing) => outgoing.end(`real ${incoming.url}`))
const tunnels: string[] = []
const proxy = createServer().on('connect', (incoming, socket) => {
  tunnels.push(incoming.url ?? '')
  const [host, port] = (incoming.url ?? '').split(':')
  const target = connect(Number(port), host)
  target.on('connect', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.pipe(target).pipe(socket)
  })
  target.on('error', () => socket.destroy())
  socket.on('error', () => target.destroy())
})
/** Starts TLS on request, like databases. */
const database = createSocketServer((socket) => {
  socket.once('data', () => {
    socket.write('S')
    const secureContext = tls.createSecureContext(certificate)
    const secure = new tls.TLSSocket(socket, { isServer: true, secureContext })
    secure.on('data', (chunk) => secure.write(`got ${String(chunk)}`)).on('error', () => {})
  })
})

beforeAll(async () => {
  for (const each of [backend, proxy, database]) await once(each.listen(0), 'listening')
  server.listen({ onUnhandledRequest: 'bypass' })
})
beforeEach(() => {
  tunnels.length = 0
})
afterAll(() => {
  server.close()
  for (const each of [backend, proxy]) each.closeAllConnections()
  for (const each of [backend, proxy, database]) each.close()
})

const portOf = (each: Server): number => (each.address() as AddressInfo).port

function createAgent(): ProxyAgent {
  return new ProxyAgent({ uri: `http://localhost:${portOf(proxy)}`, requestTls: { rejectUnauthorized: false } })
}

test.each([
  ['https://api.test/user', 'mocked'],
  ['http://api.test/user', 'mocked, plain'],
])('a mocked request to %s needs no tunnel of a proxy', async (url, expected) => {
  const dispatcher = createAgent()
  expect(await (await request(url, { dispatcher })).body.text()).toBe(expected)
  expect(tunnels).toEqual([])
  await dispatcher.destroy()
})

test('a passthrough request goes through the tunnel', async () => {
  const dispatcher = createAgent()
  const { body } = await request(`https://localhost:${portOf(backend)}/x`, { dispatcher })
  expect(await body.text()).toBe('real /x')
  expect(tunnels).toEqual([`localhost:${portOf(backend)}`])
  await dispatcher.destroy()
})

test('a tunnel that the proxy refuses fails for the client', async () => {
  const dispatcher = createAgent()
  await expect(request('https://nowhere.invalid/', { dispatcher })).rejects.toBeInstanceOf(Error)
  await dispatcher.destroy()
})

test('another protocol may begin TLS on its connection', async () => {
  const socket = connect(portOf(database), 'localhost')
  socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
  await once(socket, 'data')
  const secure = tls.connect({ socket, rejectUnauthorized: false })
  await once(secure, 'secureConnect')
  secure.write('hello')
  expect(String((await once(secure, 'data'))[0])).toBe('got hello')
  expect(secure.getPeerCertificate().subject.CN).toBe('localhost')
  secure.destroy()
})

test.each([
  ['mocked', () => 'api.test:443', '/user', 'mocked'],
  ['performed', () => `localhost:${portOf(backend)}`, '/x', 'real /x'],
])('a request is %s that is written before TLS in a tunnel is established', async (_name, getHost, path, expected) => {
  const host = getHost()
  const socket = connect(portOf(proxy), 'localhost')
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(socket, 'readable')
  expect(String(socket.read())).toContain('200')
  const secure = tls.connect({ socket, rejectUnauthorized: false })
  const events: string[] = []
  for (const name of ['secureConnect', 'data']) secure.on(name, () => events.push(name))
  secure.end(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  expect(await text(secure)).toContain(expected)
  expect(events.slice(0, 2)).toEqual(['secureConnect', 'data'])
})

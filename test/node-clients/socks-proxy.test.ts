import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'

import { http as handle, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { certificate } from '../certificate.ts'

const reached: string[] = []
const answer: http.RequestListener = ({ url }, response) => {
  reached.push(String(url))
  response.end('real')
}
const plain = http.createServer(answer)
const secure = https.createServer(certificate, answer)
/** Selects no authentication, and connects to the IPv4 address of the request, https://www.rfc-editor.org/rfc/rfc1928 */
const proxy = net.createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => {
    socket.write(Buffer.from([5, 0]))
    socket.once('data', (request) => {
      const target = net.connect(request.readUInt16BE(8), '127.0.0.1')
      target.on('error', () => socket.destroy())
      socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
      socket.pipe(target).pipe(socket)
    })
  })
})
const portOf = (server: Server): number => (server.address() as AddressInfo).port
const server = setupServer(handle.get('*/user', () => HttpResponse.text('mocked')))

beforeAll(async () => {
  for (const each of [plain, secure, proxy]) await once(each.listen(0, '127.0.0.1'), 'listening')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server.listen({ onUnhandledRequest: 'error' })
})
beforeEach(() => {
  reached.length = 0
})
afterAll(() => {
  server.close()
  vi.restoreAllMocks()
  for (const each of [plain, secure, proxy]) each.close()
})

async function openByProxy(port: number): Promise<Socket> {
  const socket = net.connect(portOf(proxy), '127.0.0.1')
  socket.write(Buffer.from([5, 1, 0]))
  await once(socket, 'data')
  socket.write(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, Math.floor(port / 256), port % 256]))
  await once(socket, 'data')
  return socket
}

async function ask(scheme: string, path: string): Promise<string> {
  const isSecure = scheme === 'https'
  const port = portOf(isSecure ? secure : plain)
  const socket = await openByProxy(port)
  const createConnection = (): Socket => (isSecure ? tls.connect({ socket, rejectUnauthorized: false }) : socket)
  const request = (isSecure ? https : http).get({ host: '127.0.0.1', port, path, createConnection })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  return text(response)
}

test.each(['http', 'https'])('a request of %s through a SOCKS proxy is mocked', async (scheme) => {
  expect(await ask(scheme, '/user')).toBe('mocked')
  expect(reached).toEqual([])
})

test.each(['http', 'https'])('an unhandled request of %s through a SOCKS proxy fails with "error"', async (scheme) => {
  await expect(ask(scheme, '/other')).rejects.toThrow('onUnhandledRequest')
  expect(reached).toEqual([])
})

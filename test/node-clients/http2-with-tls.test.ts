import { once } from 'node:events'
import { connect, createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'

import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import got from 'got'
import { Agent, fetch as undiciFetch, request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { certificate } from '../certificate.ts'

let reached = 0
const backend = createSecureServer({ ...certificate, allowHTTP1: true }, (_request, response) => {
  reached += 1
  response.end('real')
})
const server = setupServer(http.all('*', () => HttpResponse.text('mocked')))
let port = 0
let origin = ''

beforeAll(async () => {
  await once(backend.listen(0), 'listening')
  port = (backend.address() as AddressInfo).port
  origin = `https://localhost:${port}`
})
afterEach(() => {
  server.close()
  vi.restoreAllMocks()
  reached = 0
})
afterAll(() => {
  backend.close()
})

const untrusting = { rejectUnauthorized: false }

function openTls(...ALPNProtocols: string[]): TLSSocket {
  return tls.connect({ port, host: 'localhost', ...untrusting, ALPNProtocols })
}

test('the client gets the certificate of the server, and refuses it if it is not trusted', async () => {
  server.listen({ onUnhandledRequest: 'bypass' })
  const error = await new Promise((resolve) => connect(origin).on('error', resolve))
  expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const session = connect(origin, untrusting)
  await once(session, 'connect')
  expect((session.socket as TLSSocket).getPeerCertificate().subject.CN).toBe('localhost')
  session.destroy()
})

test('a client that aborts while the callback decides opens no connection', async () => {
  let release = (): void => {}
  const asked = new Promise<void>((resolve) => {
    server.listen({
      onUnhandledRequest: () => {
        resolve()
        return new Promise<void>((done) => (release = done))
      },
    })
  })
  const connected = vi.fn<() => void>()
  backend.on('connection', connected)
  const socket = openTls('h2')
  await asked
  socket.destroy()
  release()
  await once(socket, 'close')
  // The server accepts connections in their order.
  server.close()
  const later = openTls('http/1.1')
  await once(later, 'secureConnect')
  expect(connected).toHaveBeenCalledTimes(1)
  later.destroy()
  backend.off('connection', connected)
})

describe('a client that offers HTTP/1.1 too is mocked:', () => {
  const agent = new Agent({ allowH2: true, connect: untrusting })
  afterAll(() => agent.destroy())

  test.each<[name: string, ask: () => Promise<string>]>([
    ['request() of undici with allowH2', async () => (await request(origin, { dispatcher: agent })).body.text()],
    ['fetch() of undici with allowH2', async () => (await undiciFetch(origin, { dispatcher: agent })).text()],
    ['got with http2', () => got(origin, { http2: true, https: untrusting }).text()],
  ])('%s', async (_name, send) => {
    server.listen({ onUnhandledRequest: 'error' })
    expect(await send()).toBe('mocked')
    expect(reached).toBe(0)
  })
})

import { once } from 'node:events'
import { createServer, request as httpsRequest, Agent, type Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'

import { http, HttpResponse, passthrough } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import axios from 'axios'
import got from 'got'
import nodeFetch from 'node-fetch'
import { Agent as UndiciAgent, fetch as undiciFetch, request as undiciRequest } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { certificate } from '../certificate.ts'
import { createListener } from './backend.ts'

const reached: string[] = []
const server = setupServer()
let backend: HttpsServer
let url = ''

beforeAll(async () => {
  backend = createServer(certificate, createListener(reached))
  await new Promise<void>((resolve) => backend.listen(0, resolve))
  url = `https://localhost:${(backend.address() as AddressInfo).port}/real`
  server.listen({ onUnhandledRequest: 'bypass' })
})
afterEach(() => {
  server.resetHandlers()
  reached.length = 0
})
afterAll(() => {
  server.close()
  backend.close()
  backend.closeAllConnections()
})

/** Sends a POST request. Trusts the certificate of the test if it is passed. */
type Ask = (ca: string | undefined) => Promise<string>

const body = 'Grüße'
const clients: [name: string, ask: Ask][] = [
  [
    'node:https',
    async (ca) => {
      const request = httpsRequest(url, { method: 'POST', ca })
      request.end(body)
      const [response] = (await once(request, 'response')) as Parameters<typeof text>
      return text(response)
    },
  ],
  [
    'axios',
    async (ca) => {
      const { data } = await axios.post<string>(url, body, { httpsAgent: new Agent({ ca }), responseType: 'text' })
      return data
    },
  ],
  [
    'got',
    (ca) => got.post(url, { body, https: { ...(ca && { certificateAuthority: ca }) }, retry: { limit: 0 } }).text(),
  ],
  ['node-fetch', async (ca) => (await nodeFetch(url, { method: 'POST', body, agent: new Agent({ ca }) })).text()],
  [
    'request of undici',
    async (ca) => {
      const dispatcher = new UndiciAgent({ connect: { ca } })
      return (await undiciRequest(url, { method: 'POST', body, dispatcher })).body.text()
    },
  ],
  [
    'fetch of undici',
    async (ca) => {
      const dispatcher = new UndiciAgent({ connect: { ca } })
      return (await undiciFetch(url, { method: 'POST', body, dispatcher })).text()
    },
  ],
]

describe.each(clients)('https by %s', (name, ask) => {
  test('reaches the real server, whose certificate is checked', async () => {
    server.use(http.post(url, () => passthrough()))
    expect(JSON.parse(await ask(certificate.cert))).toMatchObject({ body, isReal: true })
    expect(reached).toEqual(['POST /real'])
  })

  // Got handles the end of the connection before its reason, and ignores the reason.
  test.skipIf(name === 'got')('fails for an untrusted certificate', async () => {
    await expect(ask(undefined)).rejects.toBeInstanceOf(Error)
    expect(reached).toEqual([])
  })

  test('is mocked with every certificate', async () => {
    server.use(http.post(url, async ({ request }) => HttpResponse.json({ mocked: await request.text() })))
    expect(JSON.parse(await ask(undefined))).toEqual({ mocked: body })
    expect(reached).toEqual([])
  })
})

test('the connection to the real server has its certificate', async () => {
  const request = httpsRequest(url, { method: 'POST', ca: certificate.cert })
  request.end(body)
  const [response] = (await once(request, 'response')) as [{ socket: TLSSocket } & Parameters<typeof text>[0]]
  const { authorized, encrypted } = response.socket
  expect([authorized, encrypted]).toEqual([true, true])
  await text(response)
})

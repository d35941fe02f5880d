/** Tests resolvers that return a compressed response of the real server: `fetch` has decoded the body, but kept the header. */
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { bypass, http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const answer = '{"from":"the real server"}'
const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
const clients: [name: string, read: (url: string) => Promise<string>][] = [
  ['fetch', async (url) => (await fetch(url)).text()],
  [
    'http.get',
    (url) =>
      new Promise((resolve, reject) => {
        get(url, (response) => {
          if (response.headers['content-encoding']) reject(new Error('The client would decode the body again.'))
          resolve(text(response))
        }).on('error', reject)
      }),
  ],
]

let real: Server
let origin: string
const server = setupServer(
  http.get('*/as-it-is/:coding', ({ request }) => fetch(bypass(request))),
  http.get('*/with-its-headers/:coding', async ({ request }) => {
    const original = await fetch(bypass(request))
    return new HttpResponse(await original.text(), { headers: original.headers })
  }),
  http.get('*/mocked/:coding', ({ params }) => {
    const coding = params['coding'] as keyof typeof codings
    return new HttpResponse(codings[coding](answer), { headers: { 'content-encoding': coding } })
  }),
)

beforeAll(async () => {
  real = createServer(({ url = '' }, outgoing) => {
    const coding = url.split('/').at(-1) as keyof typeof codings
    const body = codings[coding](answer)
    outgoing.writeHead(200, {
      'content-encoding': coding,
      'content-type': 'application/json',
      'content-length': body.length,
    })
    outgoing.end(body)
  })
  await new Promise<void>((resolve) => {
    real.listen(0, resolve)
  })
  origin = `http://localhost:${(real.address() as AddressInfo).port}`
  server.listen({ onUnhandledRequest: 'error' })
})
afterAll(() => {
  server.close()
  real.closeAllConnections()
  real.close()
})
beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
})

describe.each(clients)('%s', (_, read) => {
  test.each(Object.keys(codings))('reads a fetched response: %s', async (coding) => {
    expect(await read(`${origin}/as-it-is/${coding}`)).toBe(answer)
    expect(console.warn).not.toHaveBeenCalled()
  })
})

describe.each(clients)('%s', (_, read) => {
  test.each(Object.keys(codings))('reads a body that has the headers of a compressed one: %s', async (coding) => {
    expect(await read(`${origin}/with-its-headers/${coding}`)).toBe(answer)
  })
})

test.each(Object.keys(codings))('fetch decodes a compressed mocked response: %s', async (coding) => {
  expect(await (await fetch(`${origin}/mocked/${coding}`)).text()).toBe(answer)
})

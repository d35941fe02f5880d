import { once } from 'node:events'
import { get } from 'node:http'
import type { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

import axios from 'axios'
import got from 'got'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const url = 'http://api.test/stream'

/** Resolves when the client has the headers of the response. */
type Open = (signal: AbortSignal) => Promise<Readable>

const clients: [name: string, open: Open][] = [
  ['node:http', (signal) => new Promise((resolve, reject) => get(url, { signal }, resolve).on('error', reject))],
  ['undici', async (signal) => (await request(url, { signal })).body],
  [
    'axios',
    async (signal) => (await axios.get<Readable>(url, { adapter: 'http', responseType: 'stream', signal })).data,
  ],
  [
    'got',
    (signal) =>
      new Promise((resolve, reject) => {
        const stream = got.stream(url, { signal })
        stream.on('response', () => resolve(stream)).on('error', reject)
      }),
  ],
]

describe.each(clients)('%s', (_name, open) => {
  test('gets the headers of a response before its body begins, and ends the body when it disconnects', async () => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined
    let isCancelled = false
    server.use(
      http.get(url, () => {
        const stream = new ReadableStream<Uint8Array>({
          start(controller) {
            body = controller
          },
          cancel() {
            isCancelled = true
          },
        })
        return new HttpResponse(stream)
      }),
    )
    const controller = new AbortController()
    const response = await open(controller.signal)
    body?.enqueue(new TextEncoder().encode('first'))
    const [chunk] = (await once(response, 'data')) as [Buffer]
    expect(String(chunk)).toBe('first')
    response.on('error', () => {})
    controller.abort()
    await expect.poll(() => isCancelled).toBe(true)
  })
})

describe('the Content-Encoding of a mocked response', () => {
  test.each(['gzip', 'deflate', 'zstd', 'identity, gzip'])(
    'is omitted if the body is not encoded: %s',
    async (coding) => {
      server.use(http.get(url, () => new HttpResponse('plain', { headers: { 'content-encoding': coding } })))
      expect((await axios.get(url, { adapter: 'http' })).data).toBe('plain')
      const { headers, body } = await request(url)
      expect([headers['content-encoding'], headers['content-length'], await body.text()]).toEqual([
        undefined,
        '5',
        'plain',
      ])
    },
  )

  test('stays if the body is encoded', async () => {
    const body = new Uint8Array(gzipSync('plain'))
    server.use(http.get(url, () => new HttpResponse(body, { headers: { 'content-encoding': 'gzip' } })))
    const response = await axios.get<string>(url, { adapter: 'http', decompress: false, responseType: 'arraybuffer' })
    expect(response.headers['content-encoding']).toBe('gzip')
    expect((await axios.get(url, { adapter: 'http' })).data).toBe('plain')
  })
})

test.each([
  ['a Blob', () => new Blob(['x'.repeat(1000)])],
  ['a text', () => 'x'.repeat(1000)],
  ['bytes', () => new Uint8Array(1000)],
])('the length of %s is declared', async (_name, create) => {
  server.use(http.get(url, () => new HttpResponse(create())))
  const { headers, body } = await request(url)
  expect(headers['content-length']).toBe('1000')
  await body.dump()
})

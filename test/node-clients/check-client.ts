import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { bypass, http, HttpResponse, passthrough } from '@understudy/engine'
import { setupServer, type Server } from '@understudy/engine/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { startBackend, type Backend } from './backend.ts'

/** The request that a client must send. */
export interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Sent as multipart form data, with the client's own means. */
  readonly form?: { readonly field: string; readonly file: File }
  readonly signal?: AbortSignal
}

/** What a client received. */
export interface Received {
  readonly status: number
  readonly statusText?: string
  readonly headers: Headers
  readonly body: Uint8Array
}

/** An HTTP client, adapted to the tests below. */
export interface Client {
  send(url: string, sent?: Sent): Promise<Received>
  /** Iterates over the chunks of a response. Missing if the client cannot stream. */
  stream?(url: string): AsyncIterable<Uint8Array | string>
  /** Sends a body in chunks by POST. Missing if the client cannot stream. */
  upload?(url: string, chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Received>
  /** Whether its streams can be cancelled. Default: yes. */
  readonly leavesStreams?: boolean
  readonly followsRedirects: boolean
  readonly canAbort: boolean
  readonly canSendFiles: boolean
  /** Whether it decompresses responses. Default: yes. */
  readonly decompresses?: boolean
  /** Returns the origin of mocked requests. Default: a host that does not exist. */
  readonly origin?: (backend: Backend) => string
  /** The statuses that it supports. Default: some of every class. */
  readonly statuses?: readonly number[]
  /** Whether it sends cookies to the origin of the mocks. Default: yes. */
  readonly sendsCookies?: boolean
  /** Whether it cannot read `Set-Cookie`, like a page's scripts. Default: no. */
  readonly hidesSetCookie?: boolean
}

const decoder = new TextDecoder()
const readJson = ({ body }: Received): unknown => JSON.parse(decoder.decode(body))

/** Tests a client with mocked and real requests. */
export function checkClient(name: string, client: Client): void {
  describe.each([name])('%s', () => {
    const server: Server = setupServer()
    let backend: Backend
    let api = 'http://api.test'

    beforeAll(async () => {
      backend = await startBackend()
      api = client.origin?.(backend) ?? api
      server.listen({ onUnhandledRequest: 'bypass' })
    })
    afterEach(() => {
      server.resetHandlers()
      server.cookies.clear()
      server.events.removeAllListeners()
      backend.reached.length = 0
    })
    afterAll(() => {
      server.close()
      backend.close()
    })

    test('JSON', async () => {
      server.use(
        http.get(`${api}/user/:id`, ({ params, url }) =>
          HttpResponse.json({ id: params.id, q: url.searchParams.get('q') }, { headers: { 'X-Mocked': 'yes' } }),
        ),
      )
      const received = await client.send(`${api}/user/5?q=a%20b`)
      expect(received.status).toBe(200)
      expect(received.headers.get('content-type')).toBe('application/json')
      expect(received.headers.get('x-mocked')).toBe('yes')
      expect(readJson(received)).toEqual({ id: '5', q: 'a b' })
    })

    test.each([
      ['JSON', 'application/json', '{"name":"Grüße"}'],
      ['urlencoded', 'application/x-www-form-urlencoded', 'name=Ada&tag=a&tag=b'],
    ])('POST of %s', async (_, type, body) => {
      server.use(
        http.post(`${api}/user`, async ({ request }) => {
          const read = type.endsWith('json') ? await request.json() : Object.fromEntries(await request.formData())
          return HttpResponse.json({ type: request.headers.get('content-type'), read }, { status: 201 })
        }),
      )
      const received = await client.send(`${api}/user`, { method: 'POST', headers: { 'Content-Type': type }, body })
      expect(received.status).toBe(201)
      const expected = type.endsWith('json') ? { name: 'Grüße' } : { name: 'Ada', tag: 'b' }
      expect(readJson(received)).toEqual({ type: expect.stringContaining(type), read: expected })
    })

    test('POST and response of bytes', async () => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
      server.use(http.put(`${api}/bytes`, async ({ request }) => HttpResponse.arrayBuffer(await request.arrayBuffer())))
      const headers = { 'Content-Type': 'application/octet-stream' }
      const received = await client.send(`${api}/bytes`, { method: 'PUT', headers, body: bytes })
      expect(received.headers.get('content-length')).toBe('70000')
      expect(Buffer.compare(received.body, bytes)).toBe(0)
    })

    test.each([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ])('a response compressed by %s', async (coding, compress) => {
      const compressed = compress('Grüße '.repeat(1000))
      const headers = { 'Content-Encoding': coding, 'Content-Type': 'text/plain; charset=utf-8' }
      server.use(http.get(`${api}/text`, () => new HttpResponse(compressed, { headers })))
      const { body } = await client.send(`${api}/text`)
      const expected = client.decompresses === false ? compressed : Buffer.from('Grüße '.repeat(1000))
      expect(Buffer.compare(body, expected)).toBe(0)
    })

    test.runIf(client.canSendFiles)('POST of a file', async () => {
      server.use(
        http.post(`${api}/files`, async ({ request }) => {
          const sent = await request.clone().text()
          const file = (await request.formData()).get('avatar') as File
          return HttpResponse.json({ sent, name: file.name, type: file.type, text: await file.text() })
        }),
      )
      const file = new File(['Grüße'], 'ada.txt', { type: 'text/plain' })
      const received = await client.send(`${api}/files`, { method: 'POST', form: { field: 'avatar', file } })
      expect(readJson(received)).toMatchObject({
        sent: expect.stringMatching(/name="avatar"; filename="ada.txt"\r\nContent-Type: text\/plain\r\n\r\nGrüße\r\n/),
        name: 'ada.txt',
        type: 'text/plain',
        text: 'Grüße',
      })
    })

    test.runIf(client.stream)('a stream arrives chunk by chunk', async () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>()
      const writer = writable.getWriter()
      server.use(http.get(`${api}/stream`, () => new HttpResponse(readable)))
      void writer.write(new TextEncoder().encode('one'))
      const seen: string[] = []
      for await (const chunk of client.stream?.(`${api}/stream`) ?? []) {
        seen.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk))
        // The second chunk is written after the client got the first.
        if (seen.length === 1) void writer.write(new TextEncoder().encode('two')).then(() => writer.close())
      }
      expect(seen.join()).toBe('one,two')
    })

    test.runIf(client.stream && client.leavesStreams !== false)('a stream ends when its reader stops', async () => {
      const finalized = new Promise<void>((resolve) => {
        server.use(
          http.get(`${api}/stream`, ({ finalize }) => {
            finalize(resolve)
            const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(3)) })
            return new HttpResponse(body)
          }),
        )
      })
      for await (const chunk of client.stream?.(`${api}/stream`) ?? []) {
        expect(chunk).toHaveLength(3)
        break
      }
      await finalized
    })

    test.runIf(client.stream)('a stream that fails is an error for its reader', async () => {
      let fail: (() => void) | undefined
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(3))
          fail = () => controller.error(new Error('broken'))
        },
      })
      server.use(http.get(`${api}/stream`, () => new HttpResponse(body)))
      const read = async (): Promise<void> => {
        for await (const chunk of client.stream?.(`${api}/stream`) ?? []) {
          expect(chunk).toHaveLength(3)
          fail?.()
        }
      }
      await expect(read()).rejects.toBeInstanceOf(Error)
    })

    describe.runIf(client.upload)('a body that is sent in chunks', () => {
      async function* chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
        for (const text of ['Gr', 'üß', 'e']) {
          await new Promise((resolve) => setTimeout(resolve, 1))
          yield new TextEncoder().encode(text)
        }
      }

      test('is read by the resolver', async () => {
        server.use(http.post(`${api}/upload`, async ({ request }) => HttpResponse.json(await request.text())))
        expect(readJson((await client.upload?.(`${api}/upload`, chunks())) as Received)).toBe('Grüße')
      })

      test('reaches the real server', async () => {
        server.use(http.post(`${backend.origin}/real`, async ({ request }) => void (await request.text())))
        const received = (await client.upload?.(`${backend.origin}/real`, chunks())) as Received
        expect(readJson(received)).toMatchObject({ body: 'Grüße', isReal: true })
      })
    })

    test.runIf(client.followsRedirects)('a redirect is followed', async () => {
      server.use(
        http.post(`${api}/old`, () => HttpResponse.redirect(`${api}/new?a=1`, 303)),
        http.get(`${api}/new`, ({ request }) => HttpResponse.text(`${request.method} ${new URL(request.url).search}`)),
      )
      const received = await client.send(`${api}/old`, { method: 'POST', body: 'x' })
      expect([received.status, decoder.decode(received.body)]).toEqual([200, 'GET ?a=1'])
    })

    test.runIf(client.followsRedirects)('a redirect may lead to a real server', async () => {
      server.use(http.get(`${api}/old`, () => HttpResponse.redirect(`${backend.origin}/new`)))
      expect(readJson(await client.send(`${api}/old`))).toMatchObject({ url: '/new', isReal: true })
    })

    test.each(client.statuses ?? [204, 304, 401, 404, 500])('the status %i', async (status) => {
      const body = status < 400 ? null : 'why'
      server.use(http.get(`${api}/status`, () => new HttpResponse(body, { status, statusText: 'Made Up' })))
      const received = await client.send(`${api}/status`)
      expect([received.status, decoder.decode(received.body)]).toEqual([status, body ?? ''])
      expect(received.statusText ?? 'Made Up').toBe('Made Up')
    })

    test('a network error', async () => {
      server.use(http.get(`${api}/user`, () => HttpResponse.error()))
      await expect(client.send(`${api}/user`)).rejects.toBeInstanceOf(Error)
      expect(backend.reached).toEqual([])
    })

    test.runIf(client.canAbort)('an abort while the resolver runs', async () => {
      const controller = new AbortController()
      const ended = new Promise<void>((resolve) => {
        server.use(
          http.get(`${api}/slow`, async ({ finalize }) => {
            finalize(resolve)
            setTimeout(() => controller.abort(), 5)
            await new Promise(() => {})
          }),
        )
      })
      await expect(client.send(`${api}/slow`, { signal: controller.signal })).rejects.toBeInstanceOf(Error)
      await ended
    })

    describe('cookies', () => {
      const cookies = ['a=1; Path=/', 'b=2; Expires=Thu, 01 Jan 2099 00:00:00 GMT; HttpOnly']
      beforeEach(() => {
        const login = http.get(`${api}/login`, () => {
          const headers = new Headers(cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]))
          return new HttpResponse(null, { headers })
        })
        server.use(
          login,
          http.get(`${api}/user`, (info) => HttpResponse.json(info.cookies)),
        )
      })

      test('are sent with the next request', async () => {
        await client.send(`${api}/login`)
        const sent = client.sendsCookies === false ? {} : { a: '1', b: '2' }
        expect(readJson(await client.send(`${api}/user`))).toEqual(sent)
      })

      test.skipIf(client.hidesSetCookie)('are readable one by one', async () => {
        expect((await client.send(`${api}/login`)).headers.getSetCookie()).toEqual(cookies)
        const real = await client.send(`${backend.origin}/real`)
        expect(real.headers.getSetCookie()).toEqual(['real=1', 'other=2'])
      })
    })

    test.each([
      ['no handler', () => http.get(`${backend.origin}/else`, () => HttpResponse.error())],
      ['passthrough()', () => http.all(`${backend.origin}/real`, () => passthrough())],
      [
        'nothing, after the body was read',
        () => http.all(`${backend.origin}/real`, async ({ request }) => void (await request.text())),
      ],
    ])('the real server answers, by %s', async (_, createHandler) => {
      const matched: string[] = []
      const told: string[] = []
      server.events.on('request:start', ({ request }) => void matched.push(request.method))
      server.events.on('response:bypass', async ({ request, response }) => {
        const { body } = (await response.json()) as { body: string }
        // A page sends a preflight with OPTIONS first.
        if (request.method === 'POST') told.push(`${request.method} ${body}`)
      })
      server.use(createHandler())
      const headers = { 'Content-Type': 'text/plain', Accept: 'text/x' }
      const received = await client.send(`${backend.origin}/real?a=1`, { method: 'POST', headers, body: 'Grüße' })
      expect(received.status).toBe(200)
      expect(readJson(received)).toEqual({
        method: 'POST',
        url: '/real?a=1',
        type: expect.stringContaining('text/plain'),
        accept: 'text/x',
        body: 'Grüße',
        isReal: true,
      })
      await expect.poll(() => told).toEqual(['POST Grüße'])
      expect(matched.filter((method) => method === 'POST')).toEqual(['POST'])
      expect(backend.reached.filter((line) => line.startsWith('POST'))).toEqual(['POST /real?a=1'])
    })

    test('a resolver asks the real server', async () => {
      server.use(
        http.get(`${backend.origin}/real`, async ({ request }) => {
          const real = (await (await fetch(bypass(request))).json()) as object
          return HttpResponse.json({ ...real, isPatched: true })
        }),
      )
      const received = await client.send(`${backend.origin}/real`, { headers: { Accept: 'text/x' } })
      expect(readJson(received)).toMatchObject({ isReal: true, isPatched: true, accept: 'text/x' })
    })
  })
}

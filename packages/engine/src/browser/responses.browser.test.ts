import { expect, inject, test, vi } from 'vitest'

import { bypass } from '../core/responses/bypass.ts'
import { delay } from '../core/responses/delay.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { describeSources } from './testing/describe-sources.ts'

const upstream = inject('upstream')
const bytes = new Uint8Array([0, 255, 128, 10, 13, 195, 40])

function formData(): FormData {
  const form = new FormData()
  form.set('name', 'Ada')
  form.set('file', new File([bytes], 'a b.bin', { type: 'application/x-thing' }))
  return form
}

/** The code that creates each response, the received content type, and the body as text. */
const constructed: [name: string, create: () => Response, type: string | null, text: string][] = [
  ['HttpResponse.text', () => HttpResponse.text('grüße'), 'text/plain', 'grüße'],
  ['HttpResponse.json', () => HttpResponse.json({ a: 'ü' }), 'application/json', '{"a":"ü"}'],
  ['HttpResponse.xml', () => HttpResponse.xml('<a>ü</a>'), 'text/xml', '<a>ü</a>'],
  ['HttpResponse.html', () => HttpResponse.html('<p>ü'), 'text/html', '<p>ü'],
  ['HttpResponse.arrayBuffer', () => HttpResponse.arrayBuffer(bytes), 'application/octet-stream', decode(bytes)],
  ['new HttpResponse(string)', () => new HttpResponse('text'), 'text/plain;charset=UTF-8', 'text'],
  ['new HttpResponse(null)', () => new HttpResponse(null), null, ''],
  ['new HttpResponse(Blob)', () => new HttpResponse(new Blob(['b'], { type: 'image/x' })), 'image/x', 'b'],
  ['new HttpResponse(typed array)', () => new HttpResponse(bytes.subarray(3, 5)), null, '\n\r'],
  [
    'new HttpResponse(URLSearchParams)',
    () => new HttpResponse(new URLSearchParams({ a: 'b c' })),
    'application/x-www-form-urlencoded;charset=UTF-8',
    'a=b+c',
  ],
  ['new HttpResponse(stream)', () => new HttpResponse(streamOf('one', 'two')), null, 'onetwo'],
  ['new Response', () => new Response('plain'), 'text/plain;charset=UTF-8', 'plain'],
  ['Response.json', () => Response.json([1]), 'application/json', '[1]'],
]

function decode(data: Uint8Array): string {
  return new TextDecoder().decode(data)
}

function streamOf(...texts: string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob(['']).stream().pipeThrough(
    new TransformStream({
      flush(controller) {
        for (const text of texts) controller.enqueue(new TextEncoder().encode(text))
      },
    }),
  )
}

/** The bytes as a server would compress them. */
function compress(data: BlobPart, format: CompressionFormat): Promise<ArrayBuffer> {
  return new Response(new Blob([data]).stream().pipeThrough(new CompressionStream(format))).arrayBuffer()
}

async function digest(data: ArrayBuffer): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', data)).join()
}

const url = (path: string): string => new URL(path, location.href).href

describeSources('a response', (source) => {
  const { isWorker, use } = source

  test.each(constructed)('of %s arrives completely', async (_name, create, type, text) => {
    use(http.get('/r/constructed', create))
    const response = await fetch('/r/constructed')
    expect(response).toBeInstanceOf(Response)
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.text()).toBe(text)
  })

  test('of HttpResponse.formData arrives with its file', async () => {
    use(http.get('/r/form', () => HttpResponse.formData(formData())))
    const form = await (await fetch('/r/form')).formData()
    const file = form.get('file') as File
    expect([form.get('name'), file.name, file.type]).toEqual(['Ada', 'a b.bin', 'application/x-thing'])
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
  })

  test('has the URL of the request, the type of its mode, status text and headers', async () => {
    use(
      http.all(
        '*/r/facts',
        () => new HttpResponse('x', { status: 418, statusText: 'Teapot', headers: { 'X-One': '1', 'x-two': 'a, b' } }),
      ),
    )
    const same = await fetch('/r/facts?a=1#part')
    expect({ url: same.url, type: same.type, redirected: same.redirected, ok: same.ok }).toEqual({
      url: url('/r/facts?a=1'),
      type: 'basic',
      redirected: false,
      ok: false,
    })
    expect([same.status, same.statusText]).toEqual([418, 'Teapot'])
    expect([...same.headers].filter(([name]) => name.startsWith('x-'))).toEqual([
      ['x-one', '1'],
      ['x-two', 'a, b'],
    ])
    expect(await same.clone().text()).toBe('x')
    expect(same.clone().url).toBe(url('/r/facts?a=1'))

    const other = await fetch('http://other.test/r/facts')
    // For Chromium, a response that a worker creates has the page's own origin.
    const type = isWorker ? 'basic' : 'cors'
    expect([other.url, other.type, other.headers.get('x-one')]).toEqual(['http://other.test/r/facts', type, '1'])
  })

  test.each([204, 205, 304])('of status %i has no body', async (status) => {
    use(http.get('/r/empty', () => new HttpResponse(null, { status, headers: { ETag: '"1"' } })))
    const response = await fetch('/r/empty')
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([status, '"1"', ''])
  })

  test('of status 206 keeps its range', async () => {
    const headers = { 'Content-Range': 'bytes 3-4/7', 'Accept-Ranges': 'bytes' }
    use(http.get('/r/range', () => new HttpResponse(bytes.slice(3, 5), { status: 206, headers })))
    const response = await fetch('/r/range', { headers: { Range: 'bytes=3-4' } })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 3-4/7'])
    expect(await response.bytes()).toEqual(bytes.slice(3, 5))
  })

  test('to HEAD has headers and no body', async () => {
    use(http.head('/r/head', () => new HttpResponse('never sent', { headers: { 'Content-Length': '10' } })))
    const response = await fetch('/r/head', { method: 'HEAD' })
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['10', ''])
  })

  test('arrives chunk by chunk', async () => {
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
    const writer = writable.getWriter()
    use(http.get('/r/chunks', () => new HttpResponse(readable)))
    const reader = (await fetch('/r/chunks')).body!.getReader()
    for (const chunk of [bytes, bytes.slice(1), bytes.slice(2)]) {
      // If the chunk were held until there is more data, it would never arrive.
      void writer.write(chunk)
      expect((await reader.read()).value).toEqual(chunk)
    }
    void writer.close()
    expect((await reader.read()).done).toBe(true)
  })

  test('whose stream fails is an error for its reader, after the earlier chunks', async () => {
    let fail: (() => void) | undefined
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes)
        fail = () => controller.error(new Error('the disk is gone'))
      },
    })
    use(http.get('/r/broken', () => new HttpResponse(body)))
    const reader = (await fetch('/r/broken')).body!.getReader()
    expect((await reader.read()).value).toEqual(bytes)
    fail?.()
    // The platform does not report the reason if the response comes from a worker.
    await expect(reader.read()).rejects.toThrow(isWorker ? /.*/ : 'the disk is gone')
  })

  test('of 10 MB arrives byte for byte', async () => {
    const big = new Uint8Array(10 * 1024 * 1024).map((_, index) => (index * 31) % 251)
    use(http.get('/r/big', () => HttpResponse.arrayBuffer(big)))
    const received = await (await fetch('/r/big')).arrayBuffer()
    expect(received.byteLength).toBe(big.length)
    expect(await digest(received)).toBe(await digest(big.buffer))
  })

  test('sets several cookies', async () => {
    const headers = new Headers([
      ['Set-Cookie', 'one=1; Path=/'],
      ['Set-Cookie', 'two=2, with a comma; Path=/'],
      ['Set-Cookie', 'hidden=3; Path=/; HttpOnly'],
    ])
    use(
      http.get('/r/login', () => new HttpResponse(null, { headers })),
      http.get('/r/me', ({ cookies }) => HttpResponse.json(cookies)),
    )
    const response = await fetch('/r/login')
    expect(response.headers.has('set-cookie')).toBe(false)
    expect(document.cookie).toContain('one=1; two=2, with a comma')
    expect(document.cookie).not.toContain('hidden')
    const sent: unknown = await (await fetch('/r/me')).json()
    expect(sent).toMatchObject({ one: '1', two: '2, with a comma', hidden: '3' })
  })

  test.each(['gzip', 'deflate', 'GZIP', 'x-gzip'])('with Content-Encoding %s is decompressed', async (coding) => {
    const body = await compress('grüße '.repeat(1000), coding === 'deflate' ? 'deflate' : 'gzip')
    use(
      http.get(
        '/r/compressed',
        () => new HttpResponse(body, { headers: { 'Content-Encoding': coding, 'Content-Type': 'text/plain' } }),
      ),
    )
    const response = await fetch('/r/compressed')
    expect(response.headers.get('content-encoding')).toBe(coding)
    expect(await response.text()).toBe('grüße '.repeat(1000))
  })

  test('compressed twice is decompressed twice', async () => {
    const body = await compress(await compress('text', 'deflate'), 'gzip')
    use(http.get('/r/twice', () => new HttpResponse(body, { headers: { 'Content-Encoding': 'deflate, gzip' } })))
    expect(await (await fetch('/r/twice')).text()).toBe('text')
  })

  test('with an unknown coding arrives unchanged', async () => {
    use(http.get('/r/coded', () => new HttpResponse('as it is', { headers: { 'Content-Encoding': 'identity' } })))
    expect(await (await fetch('/r/coded')).text()).toBe('as it is')
  })

  test.each(['gzip', 'deflate'])(
    'with Content-Encoding %s and an uncompressed body arrives unchanged',
    async (coding) => {
      const headers = { 'Content-Encoding': coding }
      use(
        http.get('/r/plain', () => new HttpResponse('decoded already', { headers })),
        http.get('/r/empty', () => new HttpResponse(new Blob([]).stream(), { headers })),
      )
      expect(await (await fetch('/r/plain')).text()).toBe('decoded already')
      expect(await (await fetch('/r/empty')).text()).toBe('')
    },
  )

  test('whose compressed body is damaged is an error for its reader', async () => {
    const body = new Uint8Array(await compress('text', 'gzip')).fill(0, 3)
    use(http.get('/r/damaged', () => new HttpResponse(body, { headers: { 'Content-Encoding': 'gzip' } })))
    await expect(fetch('/r/damaged').then((response) => response.text())).rejects.toThrow(TypeError)
  })

  test('of a server, with a compressed body, is passed on unchanged and changed', async () => {
    const real = (request: Request): Promise<Response> => fetch(bypass(request))
    use(
      http.get(`${upstream}/gzip`, async ({ request }) => {
        const response = await real(request)
        if (!request.url.includes('changed')) return response
        return new HttpResponse(`changed: ${await response.text()}`, { headers: { 'Content-Encoding': 'gzip' } })
      }),
    )
    expect(await (await fetch(`${upstream}/gzip`)).text()).toBe('decoded once')
    expect(await (await fetch(`${upstream}/gzip?changed`)).text()).toBe('changed: decoded once')
  })

  test.each([204, 205, 304])('of a server, with the status %i, is passed on', async (status) => {
    use(http.get(`${upstream}/status/:status`, ({ request }) => fetch(bypass(request))))
    const response = await fetch(`${upstream}/status/${status}`, { headers: { 'If-None-Match': '"x"' } })
    expect([response.status, await response.text()]).toEqual([status, ''])
  })

  test('that is a network error fails like on the platform', async () => {
    use(
      http.get('/r/error', () => HttpResponse.error()),
      http.get('/r/plain-error', () => Response.error()),
    )
    const real = await fetch('http://localhost:1/').catch((error: unknown) => error)
    for (const path of ['/r/error', '/r/plain-error']) {
      const error = await fetch(path).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toBe((real as Error).message)
    }
  })
})

describeSources('an invalid response', (source) => {
  const { use } = source

  test.each([
    ['a string', () => 'text', 'its resolver returned'],
    ['a stream that was read', () => new HttpResponse(readStream()), 'locked'],
    [
      'an error',
      () => {
        throw new Error('broken')
      },
      'broken',
    ],
  ])('%s is a 500 and an error in the console', async (_name, resolver, message) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    use(http.get('/r/bad', resolver as never))
    const response = await fetch('/r/bad')
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ message: expect.stringContaining(message) as string })
    expect(error).toHaveBeenCalledOnce()
  })

  test('a response that was already read is a 500 with the reason', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const once = HttpResponse.json(1)
    use(http.get('/r/same', () => once))
    expect((await fetch('/r/same')).status).toBe(200)
    expect((await fetch('/r/same')).status).toBe(500)
    expect(error).toHaveBeenCalledOnce()
  })

  test('an invalid status is a 500 with the reason', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    use(http.get('/r/status', () => new HttpResponse(null, { status: 99 })))
    expect((await fetch('/r/status')).status).toBe(500)
  })

  test('a resolver that waits forever ends with the request', async () => {
    const controller = new AbortController()
    use(
      http.get('/r/never', async () => {
        controller.abort()
        await delay('infinite')
      }),
    )
    await expect(fetch('/r/never', { signal: controller.signal })).rejects.toThrow(/abort/i)
  })
})

function readStream(): ReadableStream {
  const stream = streamOf('text')
  stream.getReader()
  return stream
}

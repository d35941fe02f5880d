import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { HttpResponse, setCookiesOf } from './http-response.ts'

/** In a browser, a `Response` does not contain its `Set-Cookie`. */
const hidesSetCookie = typeof document === 'object'

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

async function facts(response: Response): Promise<[type: string | null, length: string | null, body: string]> {
  return [response.headers.get('Content-Type'), response.headers.get('Content-Length'), await response.text()]
}

describe('shorthand constructors', () => {
  it.each<[name: string, response: () => Response, type: string | null, length: string | null, body: string]>([
    ['text', () => HttpResponse.text('Grüße'), 'text/plain', '7', 'Grüße'],
    ['text of nothing', () => HttpResponse.text(), 'text/plain', '0', ''],
    ['text that is empty', () => HttpResponse.text(''), 'text/plain', '0', ''],
    // JavaScript code passes other values. They become text, as the platform's class converts them.
    ['text of a number', () => HttpResponse.text(5 as never), 'text/plain', '1', '5'],
    ['text of false', () => HttpResponse.text(false as never), 'text/plain', '5', 'false'],
    [
      'text of an object',
      () => HttpResponse.text(new URL('https://é.test') as never),
      'text/plain',
      '21',
      'https://xn--9ca.test/',
    ],
    ['xml of a number', () => HttpResponse.xml(12 as never), 'text/xml', '2', '12'],
    ['html of a list', () => HttpResponse.html(['é'] as never), 'text/html', '2', 'é'],
    ['json of an object', () => HttpResponse.json({ a: 'é' }), 'application/json', '10', '{"a":"é"}'],
    ['json of an array', () => HttpResponse.json([1, 'b']), 'application/json', '7', '[1,"b"]'],
    ['json of a string', () => HttpResponse.json('a'), 'application/json', '3', '"a"'],
    ['json of null', () => HttpResponse.json(null), 'application/json', '4', 'null'],
    ['json of false', () => HttpResponse.json(false), 'application/json', '5', 'false'],
    ['json of nothing', () => HttpResponse.json(), 'application/json', '0', ''],
    ['xml', () => HttpResponse.xml('<a/>'), 'text/xml', '4', '<a/>'],
    ['html', () => HttpResponse.html('<p>é</p>'), 'text/html', '9', '<p>é</p>'],
    ['arrayBuffer', () => HttpResponse.arrayBuffer(bytes('abc').buffer), 'application/octet-stream', '3', 'abc'],
    ['arrayBuffer of nothing', () => HttpResponse.arrayBuffer(), 'application/octet-stream', '0', ''],
    [
      'arrayBuffer of a part of one',
      () => HttpResponse.arrayBuffer(bytes('abcd').subarray(1, 3)),
      'application/octet-stream',
      '2',
      'bc',
    ],
    ['new with a string', () => new HttpResponse('abc'), 'text/plain;charset=UTF-8', null, 'abc'],
    ['new with null', () => new HttpResponse(null), null, null, ''],
    ['new with nothing', () => new HttpResponse(), null, null, ''],
    ['new with bytes', () => new HttpResponse(bytes('abc')), null, null, 'abc'],
    ['new with a buffer', () => new HttpResponse(bytes('abc').buffer), null, null, 'abc'],
    ['new with a Blob', () => new HttpResponse(new Blob(['abc'], { type: 'text/css' })), 'text/css', null, 'abc'],
    [
      'new with URLSearchParams',
      () => new HttpResponse(new URLSearchParams({ a: 'b c' })),
      'application/x-www-form-urlencoded;charset=UTF-8',
      null,
      'a=b+c',
    ],
    ['new with a stream', () => new HttpResponse(new Blob(['abc']).stream()), null, null, 'abc'],
  ])('%s', async (_name, create, type, length, body) => {
    const response = create()
    expect(response).toBeInstanceOf(Response)
    expect(response).toBeInstanceOf(HttpResponse)
    expect([response.status, response.statusText, response.ok, response.type]).toEqual([200, 'OK', true, 'default'])
    expect(await facts(response)).toEqual([type, length, body])
  })

  it('new with FormData has its boundary, and can be read again', async () => {
    const data = new FormData()
    data.set('name', 'Ada')
    const response = new HttpResponse(data)
    expect(response.headers.get('Content-Type')).toMatch(/^multipart\/form-data; ?boundary=/)
    expect((await response.formData()).get('name')).toBe('Ada')
  })

  it('formData has its boundary, and can be read again', async () => {
    const data = new FormData()
    data.set('name', 'Ada')
    data.set('file', new File(['abc'], 'a.txt', { type: 'text/plain' }))
    const response = HttpResponse.formData(data)
    expect(response.headers.get('Content-Type')).toMatch(/^multipart\/form-data; ?boundary=/)
    const read = await response.formData()
    expect(read.get('name')).toBe('Ada')
    expect(await (read.get('file') as File).text()).toBe('abc')
  })

  it('arrayBuffer keeps the bytes of numbers that take several', async () => {
    const numbers = new Float32Array([1.5, -2])
    const response = HttpResponse.arrayBuffer(numbers)
    expect(new Float32Array(await response.arrayBuffer())).toEqual(numbers)
  })

  it.runIf(typeof SharedArrayBuffer === 'function')('arrayBuffer takes shared memory', async () => {
    const shared = new SharedArrayBuffer(3)
    new Uint8Array(shared).set(bytes('abc'))
    expect(await facts(HttpResponse.arrayBuffer(shared))).toEqual(['application/octet-stream', '3', 'abc'])
  })

  it('keep the headers that they are given', async () => {
    const headers = { 'Content-Type': 'application/problem+json', 'Content-Length': '100', 'X-A': 'b' }
    const response = HttpResponse.json({ a: 1 }, { headers })
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/problem+json',
      'content-length': '100',
      'x-a': 'b',
    })
  })

  it('have a Content-Length in bytes, for any text', async () => {
    // This includes lone surrogates.
    const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
    const check = async (text: string): Promise<void> => {
      const response = HttpResponse.text(text)
      const { byteLength } = await response.clone().arrayBuffer()
      expect(response.headers.get('Content-Length')).toBe(String(byteLength))
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes(text))
    }
    await fc.assert(fc.asyncProperty(fc.oneof(anyText, fc.string({ unit: 'binary' })), check))
    await check('🎭é'.repeat(10_000))
  })

  it('leave the given headers as they were', () => {
    const headers = new Headers({ 'X-A': 'b' })
    HttpResponse.json({}, { headers })
    expect([...headers]).toEqual([['x-a', 'b']])
  })
})

describe('status', () => {
  it.each([
    [200, 'OK'],
    [201, 'Created'],
    [404, 'Not Found'],
    [418, "I'm a Teapot"],
    [500, 'Internal Server Error'],
    [599, ''],
  ])('%i has the text "%s"', (status, text) => {
    const responses = [
      new HttpResponse(null, { status }),
      HttpResponse.json({}, { status }),
      HttpResponse.text('', { status }),
    ]
    expect(responses.map((response) => [response.status, response.statusText])).toEqual(
      responses.map(() => [status, text]),
    )
  })

  it('text can be given', () => {
    expect(new HttpResponse(null, { status: 404, statusText: 'No such book' }).statusText).toBe('No such book')
    // A real response over HTTP/2 has no text. Handlers pass it as the options of the mocked one.
    expect(HttpResponse.json({}, { statusText: '' }).statusText).toBe('OK')
    expect(new HttpResponse('text', new Response('', { status: 404 })).statusText).toBe('Not Found')
  })

  it.each([204, 205, 304])('%i has no body', async (status) => {
    expect(new HttpResponse(null, { status }).body).toBe(null)
    expect(HttpResponse.json(undefined, { status }).body).toBe(null)
    expect(HttpResponse.text(null, { status }).body).toBe(null)
  })

  // As in MSW: handlers often give such a response an empty text or object.
  it.each([204, 205, 304])('%i leaves out a body that is given', (status) => {
    const given = [
      new HttpResponse('', { status }),
      new HttpResponse('text', { status }),
      new HttpResponse(new ReadableStream(), { status }),
      HttpResponse.json({}, { status }),
      HttpResponse.json(null, { status }),
      HttpResponse.text('text', { status }),
      HttpResponse.xml('<a/>', { status }),
      HttpResponse.html('', { status }),
      HttpResponse.arrayBuffer(new ArrayBuffer(1), { status }),
      HttpResponse.formData(new FormData(), { status }),
    ]
    for (const response of [...given, ...given.map((each) => each.clone())]) {
      expect([response.status, response.body]).toEqual([status, null])
      expect(Number(response.headers.get('Content-Length'))).toBe(0)
    }
    expect(HttpResponse.json({}, { status, headers: { 'X-A': '1' } }).headers.get('X-A')).toBe('1')
  })

  it.each([0, 99, 199, 600])('%i is refused', (status) => {
    expect(() => new HttpResponse(null, { status })).toThrow(RangeError)
  })
})

describe('error', () => {
  it.each([
    ['HttpResponse.error()', () => HttpResponse.error()],
    ["type: 'error'", () => new HttpResponse(null, { type: 'error' })],
    ["a clone of type: 'error'", () => new HttpResponse(null, { type: 'error' }).clone()],
    ['a clone of HttpResponse.error()', () => HttpResponse.error().clone()],
  ])('%s is a network error', (_name, create) => {
    const response = create()
    expect(response).toBeInstanceOf(Response)
    expect(response.type).toBe('error')
  })
})

describe('redirect', () => {
  it.each<[url: string | URL, status: number | undefined, location: string, expected: number]>([
    ['/login', undefined, '/login', 302],
    ['https://app.test/login', 301, 'https://app.test/login', 301],
    [new URL('https://app.test/login'), 307, 'https://app.test/login', 307],
    ['?again', 303, '?again', 303],
    ['/login', 308, '/login', 308],
    ['/grüße?q=日本#ü', undefined, '/gr%C3%BC%C3%9Fe?q=%E6%97%A5%E6%9C%AC#%C3%BC', 302],
    ['/a b/%C3%BC', undefined, '/a b/%C3%BC', 302],
    ['/\ud83d', undefined, '/%EF%BF%BD', 302],
    ['/😀', undefined, '/%F0%9F%98%80', 302],
  ])('to %s with %s', (url, status, location, expected) => {
    const response = HttpResponse.redirect(url, status)
    expect([response.status, response.headers.get('Location'), response.body]).toEqual([expected, location, null])
  })

  it.each([200, 300, 304, 404])('with %i is refused', (status) => {
    expect(() => HttpResponse.redirect('/login', status)).toThrow(
      new RangeError(
        `Failed to redirect: status ${status} is not a redirect status. Use 301, 302, 303, 307 or 308. (US0209)`,
      ),
    )
  })
})

describe('Set-Cookie', () => {
  const headers: [string, string][] = [
    ['Set-Cookie', 'a=1; Path=/'],
    ['Set-Cookie', 'b=2; HttpOnly'],
  ]
  const both = ['a=1; Path=/', 'b=2; HttpOnly']

  it.each<[name: string, response: () => Response]>([
    ['new', () => new HttpResponse(null, { headers })],
    ['json', () => HttpResponse.json({}, { headers })],
    ['Headers', () => HttpResponse.text('', { headers: new Headers(headers) })],
    ['clone', () => HttpResponse.json({}, { headers }).clone()],
    ['clone of a clone', () => HttpResponse.json({}, { headers }).clone().clone()],
  ])('several are kept by %s', (_name, create) => {
    const response = create()
    expect(setCookiesOf(response)).toEqual(both)
    expect(response.headers.getSetCookie()).toEqual(hidesSetCookie ? [] : both)
  })

  it('of a record are kept', () => {
    expect(setCookiesOf(new HttpResponse(null, { headers: { 'Set-Cookie': 'a=1, still the value' } }))).toEqual([
      'a=1, still the value',
    ])
  })

  it('of a platform response are read where the platform shows them', () => {
    expect(setCookiesOf(new Response(null, { headers }))).toEqual(hidesSetCookie ? [] : both)
    expect(setCookiesOf(HttpResponse.json({}))).toEqual([])
  })

  it.skipIf(hidesSetCookie)('may be changed on the finished response', () => {
    const response = HttpResponse.json({}, { headers })
    response.headers.delete('Set-Cookie')
    expect(setCookiesOf(response)).toEqual([])
    response.headers.append('Set-Cookie', 'c=3')
    expect(setCookiesOf(response)).toEqual(['c=3'])
    expect(setCookiesOf(response.clone())).toEqual(['c=3'])
  })
})

describe('clone', () => {
  it('is an HttpResponse with a separate body', async () => {
    const response = HttpResponse.json({ a: 1 }, { status: 201, headers: { 'X-A': 'b' } })
    const copy = response.clone()
    expect(copy).toBeInstanceOf(HttpResponse)
    expect([copy.status, copy.statusText, copy.headers.get('X-A')]).toEqual([201, 'Created', 'b'])
    expect(await response.json()).toEqual({ a: 1 })
    expect(await copy.json()).toEqual({ a: 1 })
  })

  it('is refused once the body was read', async () => {
    const response = HttpResponse.text('a')
    await response.text()
    expect(() => response.clone()).toThrow(TypeError)
  })
})

it('sends the chunks of a stream as they arrive', async () => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(given) {
      controller = given
    },
  })
  const reader = new HttpResponse(stream).body?.getReader()
  controller?.enqueue(bytes('a'))
  expect(await reader?.read()).toEqual({ done: false, value: bytes('a') })
  controller?.enqueue(bytes('b'))
  controller?.close()
  expect(await reader?.read()).toEqual({ done: false, value: bytes('b') })
  expect((await reader?.read())?.done).toBe(true)
})

it('takes null for no options, as the platform does', async () => {
  const response = new HttpResponse('text', null as never)
  expect([response.status, await response.text()]).toEqual([200, 'text'])
})

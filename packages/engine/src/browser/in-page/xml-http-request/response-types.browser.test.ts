import { expect, test } from 'vitest'

import { HttpResponse } from '../../../core/responses/http-response.ts'
import { http } from '../../../http/http.ts'
import { describeSources } from '../../testing/describe-sources.ts'
import { send } from './testing/send.ts'

const bytes = new Uint8Array([0, 255, 128, 10, 13, 195, 40])
/** "grüße" in ISO-8859-1 */
const latin = new Uint8Array([0x67, 0x72, 0xfc, 0xdf, 0x65])

function mark(...data: number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(data)
}

describeSources('what an XMLHttpRequest reads', ({ use }) => {
  /** Mocks a body with a Content-Type, and reads it. */
  async function read(
    body: BodyInit | null,
    contentType: string | null,
    responseType: XMLHttpRequestResponseType = '',
    overridden?: string,
  ): Promise<XMLHttpRequest> {
    // A Blob without a type: the header is the given one, or is missing.
    const content = body === null ? null : new Blob([body as BlobPart])
    const headers = contentType === null ? {} : { 'Content-Type': contentType }
    use(http.get('/x', () => new HttpResponse(content, { headers })))
    return send({
      prepare(xhr) {
        xhr.responseType = responseType
        if (overridden !== undefined) xhr.overrideMimeType(overridden)
      },
    })
  }

  test('as a Blob is the bytes with their type', async () => {
    const { response } = await read(bytes, 'image/x', 'blob')
    expect(response).toBeInstanceOf(Blob)
    expect([(response as Blob).type, await (response as Blob).bytes()]).toEqual(['image/x', bytes])
  })

  test.each([
    ['none', null, undefined, 'text/xml'],
    ['one in capitals', 'Image/PNG', undefined, 'image/png'],
    ['another one by overrideMimeType', 'image/png', 'text/x-own', 'text/x-own'],
    ['an invalid one by overrideMimeType', 'image/png', 'nonsense', 'application/octet-stream'],
  ])('as a Blob, of the type of %s', async (_name, contentType, overridden, type) => {
    const { response } = await read(bytes, contentType, 'blob', overridden)
    expect((response as Blob).type).toBe(type)
  })

  test('as an ArrayBuffer is the bytes, the same at every reading', async () => {
    const xhr = await read(bytes, 'image/x', 'arraybuffer')
    expect(new Uint8Array(xhr.response as ArrayBuffer)).toEqual(bytes)
    expect(xhr.response).toBe(xhr.response)
  })

  test.each([
    ['an object', '{"a":"ü"}', { a: 'ü' }],
    ['one with a byte order mark', '\uFEFF[1]', [1]],
    ['malformed', '{', null],
    ['nothing', null, null],
  ])('as JSON: %s', async (_name, body, value) => {
    const xhr = await read(body, 'text/plain', 'json')
    expect(xhr.response).toEqual(value)
  })

  test.each([
    ['of no charset is UTF-8', new Blob(['grüße']), 'text/plain', undefined],
    ['has the charset of its type', latin, 'text/plain; charset=iso-8859-1', undefined],
    ['has a charset in quotes', latin, 'text/plain;x=1; Charset="ISO-8859-1"', undefined],
    ['has the charset of overrideMimeType', latin, 'text/plain;charset=utf-8', 'text/plain; charset=iso-8859-1'],
    ['has the charset of its type where overrideMimeType names none', latin, 'text/plain; charset=latin1', 'text/x'],
    ['of an unknown charset is UTF-8', new Blob(['grüße']), 'text/plain; charset=x-nothing', undefined],
    ['with a byte order mark is what that says', new Blob(['\uFEFFgrüße']), 'text/plain; charset=latin1', undefined],
    [
      'with the byte order mark of UTF-16 is decoded as UTF-16',
      mark(0xff, 0xfe, 0x67, 0, 0x72, 0, 0xfc, 0, 0xdf, 0, 0x65, 0),
      'text/plain',
      undefined,
    ],
  ])('as text %s', async (_name, body, contentType, overridden) => {
    const xhr = await read(body as never, contentType, 'text', overridden)
    expect([xhr.responseText, xhr.response]).toEqual(['grüße', 'grüße'])
  })

  test('as text of XML has the charset that it declares', async () => {
    const declaration = '<?xml version="1.0" encoding="iso-8859-1"?><a>'
    const xml = new Blob([declaration, latin, '</a>']) as never
    const xhr = await read(xml, 'application/xml')
    expect(xhr.responseText).toBe(`${declaration}grüße</a>`)
    expect(xhr.responseXML?.documentElement.textContent).toBe('grüße')
  })

  test('as a document is HTML', async () => {
    const xhr = await read('<!doctype html><title>grüße</title><p>text', 'text/html', 'document')
    const page = xhr.response as Document
    expect(page).toBeInstanceOf(Document)
    expect([page.title, page.contentType, page.compatMode]).toEqual(['grüße', 'text/html', 'CSS1Compat'])
    expect(xhr.responseXML).toBe(page)
  })

  test('as a document of HTML has the charset that it declares', async () => {
    const html = new Blob(['<meta charset="iso-8859-1"><title>', latin, '</title>'])
    const { response } = await read(html as never, 'text/html', 'document')
    expect((response as Document).title).toBe('grüße')
  })

  test.each([
    ['XML', 'text/xml'],
    ['XML of an own type', 'image/svg+xml'],
    ['XML without a type', null],
  ])('as a document is %s', async (_name, contentType) => {
    const xhr = await read('<a><b>ü</b></a>', contentType, 'document')
    expect((xhr.response as Document).querySelector('b')?.textContent).toBe('ü')
    expect(xhr.responseXML).toBe(xhr.response)
  })

  test.each([
    ['of XML that is broken', '<a>', 'text/xml', 'document'],
    ['of XML that is broken, as responseXML', '<a>', 'text/xml', ''],
    ['of a body that is not markup', '{}', 'application/json', 'document'],
    ['of nothing', null, 'text/xml', 'document'],
    ['of HTML, only as responseXML', '<p>text', 'text/html', ''],
  ] as const)('as a document is null %s', async (_name, body, contentType, responseType) => {
    const xhr = await read(body, contentType, responseType)
    expect(xhr.responseXML).toBeNull()
  })

  test('throws for properties that its responseType excludes', async () => {
    const xhr = await read('text', 'text/plain', 'blob')
    expect(() => xhr.responseText).toThrow(expect.objectContaining({ name: 'InvalidStateError' }) as Error)
    expect(() => xhr.responseXML).toThrow(expect.objectContaining({ name: 'InvalidStateError' }) as Error)
  })

  test.each(['', 'text', 'arraybuffer', 'blob', 'json', 'document'] as const)(
    'of no body, as "%s", is empty',
    async (responseType) => {
      use(http.get('/x', () => new HttpResponse(null, { status: 204 })))
      const xhr = await send({ prepare: (each) => (each.responseType = responseType) })
      expect(xhr.status).toBe(204)
      const { response } = xhr as { response: unknown }
      const size = response instanceof ArrayBuffer ? response.byteLength : response instanceof Blob && response.size
      const isText = responseType === '' || responseType === 'text'
      expect(size === false ? response : size).toBe(isText ? '' : size === false ? null : 0)
    },
  )

  test.each(['', 'text', 'arraybuffer', 'blob', 'json', 'document'] as const)(
    'after a network error, as "%s", is empty',
    async (responseType) => {
      use(http.get('/x', () => HttpResponse.error()))
      const xhr = await send({ prepare: (each) => (each.responseType = responseType) })
      expect(xhr.response).toBe(responseType === '' || responseType === 'text' ? '' : null)
    },
  )

  test('has the headers that scripts may read', async () => {
    const headers = { 'X-b': '1', x_a: '2', 'X-A': '3', 'Set-Cookie': 'secret=1; Max-Age=0', 'Content-Type': 'text/x' }
    use(http.get('/x', () => new HttpResponse('', { headers })))
    const xhr = await send()
    const lines = xhr.getAllResponseHeaders().split('\r\n')
    expect(lines.pop()).toBe('')
    expect(lines.filter((line) => line.startsWith('x'))).toEqual(['x-a: 3', 'x-b: 1', 'x_a: 2'])
    expect(lines).toContain('content-type: text/x')
    expect(xhr.getResponseHeader('set-cookie')).toBeNull()
    expect(xhr.getResponseHeader('no name')).toBeNull()
    expect(xhr.getResponseHeader('X-B')).toBe('1')
  })

  test('as text grows while it streams, a character at a time', async () => {
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
    const writer = writable.getWriter()
    // The platform holds the first bytes of plain text until it has detected their encoding.
    use(http.get('/x', () => new HttpResponse(readable, { headers: { 'Content-Type': 'text/x-own' } })))
    const xhr = new XMLHttpRequest()
    xhr.open('GET', '/x')
    const texts: string[] = []
    xhr.addEventListener('progress', () => {
      texts.push(xhr.responseText)
    })
    xhr.send()
    const encoded = new TextEncoder().encode('1234ü5')
    void writer.write(encoded.slice(0, 5))
    await expect.poll(() => texts.at(-1)).toBe('1234')
    void writer.write(encoded.slice(5))
    await expect.poll(() => xhr.responseText).toBe('1234ü5')
    void writer.close()
    await expect.poll(() => xhr.readyState).toBe(4)
    expect(texts.at(-1)).toBe('1234ü5')
  })

  test.each(['arraybuffer', 'blob', 'json', 'document'] as const)(
    'as %s is null before it is complete',
    async (type) => {
      const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
      const writer = writable.getWriter()
      use(http.get('/x', () => new HttpResponse(readable, { headers: { 'Content-Type': 'text/html' } })))
      const xhr = new XMLHttpRequest()
      xhr.open('GET', '/x')
      xhr.responseType = type
      const seen: unknown[] = []
      xhr.addEventListener('progress', () => {
        if (xhr.readyState === 3) seen.push(xhr.response)
      })
      xhr.send()
      void writer.write(bytes)
      await expect.poll(() => seen.length).toBeGreaterThan(0)
      expect(new Set(seen)).toEqual(new Set([null]))
      void writer.close()
      await expect.poll(() => xhr.readyState).toBe(4)
    },
  )
})

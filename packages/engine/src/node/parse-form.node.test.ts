// @vitest-environment jsdom
import { afterEach, describe, expect, test } from 'vitest'

import { graphql, http, HttpResponse } from '../index.ts'
import { NodeFile } from './fetch/page-bodies.ts'
import { parseForm } from './parse-form.ts'
import { setupServer } from './setup-server.ts'

const server = setupServer()
afterEach(() => {
  server.resetHandlers()
  server.close()
})

const line = '\r\n'
const field = (head: string, value: string): string =>
  `--limit${line}Content-Disposition: form-data; ${head}${line}${line}${value}${line}`
const end = '--limit--'

/** The parser of Node 22 rejects a file name that comes before the name. */
const readsAnyOrder = !process.versions.node.startsWith('22.')

/** Names that look like other parts of the header. */
test.each([
  'name="a; filename=b"',
  'name="file"; filename="a\u2028b.txt"',
  ...(readsAnyOrder ? ['filename="; name=evil"; name="real"', 'filename="a; filename=b; name=c"; name="real"'] : []),
])('reads %s as Node does', async (head) => {
  const body = field(head, 'value') + end
  const type = 'multipart/form-data; boundary=limit'
  const bytes = new TextEncoder().encode(body)
  expect(await list(await parseForm(bytes.buffer, type))).toEqual(await list(await readNatively(bytes, type)))
})

/** Reads a form with Node's own `formData()`, beside the global `File` that it expects. */
async function readNatively(body: string | Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'File')
  Object.defineProperty(globalThis, 'File', { value: NodeFile, configurable: true, writable: true })
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData()
  } finally {
    if (own) Object.defineProperty(globalThis, 'File', own)
  }
}

async function list(form: FormData): Promise<unknown[]> {
  const entries = []
  for (const [name, value] of form) {
    entries.push(
      typeof value === 'string'
        ? [name, value]
        : [name, value.name, value.type, [...new Uint8Array(await value.arrayBuffer())]],
    )
  }
  return entries
}

describe('parseForm reads the same as formData() of Node', () => {
  test.each([
    ['a field', field('name="a"', 'b') + end],
    ['several fields of one name', field('name="a"', '1') + field('name="a"', '2') + end],
    ['an empty value', field('name="a"', '') + end],
    ['no fields', end],
    ['line breaks in a value', field('name="a"', `1${line}2${line}${line}3`) + end],
    ['other letters', field('name="ä"', 'Grüße') + end],
    ['escaped letters of a name', field('name="a%22b%0D%0Ac%20"', 'x') + end],
    ['a file', field('name="f"; filename="a b.txt"', 'text') + end],
    ['a file without a name', field('name="f"; filename=""', '') + end],
    [
      'a file with a type',
      `--limit${line}Content-Disposition: form-data; name="f"; filename="é.json"${line}Content-Type: application/json${line}${line}{}${line}${end}`,
    ],
  ])('%s', async (_, body) => {
    const type = 'multipart/form-data; boundary=limit'
    const bytes = new TextEncoder().encode(body)
    expect(await list(await parseForm(bytes.buffer, type))).toEqual(await list(await readNatively(bytes, type)))
  })

  test('binary files', async () => {
    const head = new TextEncoder().encode(
      `--limit${line}Content-Disposition: form-data; name="f"; filename="x"${line}${line}`,
    )
    const bytes = new Uint8Array([...head, 0, 255, 13, 10, 45, 45, 128, 13, 10, ...new TextEncoder().encode(end)])
    const form = await parseForm(bytes.buffer, 'multipart/form-data; boundary="limit"')
    expect(await list(form)).toEqual([['f', 'x', 'text/plain', [0, 255, 13, 10, 45, 45, 128]]])
  })

  test.each([
    ['no boundary in the type', 'multipart/form-data', field('name="a"', 'b') + end],
    ['no boundary in the body', 'multipart/form-data; boundary=limit', 'text'],
    ['no end', 'multipart/form-data; boundary=limit', field('name="a"', 'b')],
    ['no name', 'multipart/form-data; boundary=limit', field('filename="a"', 'b') + end],
  ])('rejects a body with %s', async (_, type, body) => {
    await expect(parseForm(new TextEncoder().encode(body).buffer, type)).rejects.toThrow(TypeError)
    await expect(readNatively(body, type)).rejects.toThrow(TypeError)
  })
})

describe('beside jsdom', () => {
  const form = new FormData()
  form.append('note', 'hello')
  form.append('avatar', new File(['Grüße'], 'ada.txt', { type: 'text/plain' }))

  test('fetch sends forms, files and search parameters of the page', async () => {
    server.listen({ onUnhandledRequest: 'error' })
    server.use(
      http.post('/form', async ({ request }) => HttpResponse.json(await list(await request.clone().formData()))),
      http.put('/file', async ({ request }) =>
        HttpResponse.json([request.headers.get('content-type'), await request.text()]),
      ),
    )
    const bytes = [...new TextEncoder().encode('Grüße')]
    expect(await (await fetch('/form', { method: 'POST', body: form })).json()).toEqual([
      ['note', 'hello'],
      ['avatar', 'ada.txt', 'text/plain', bytes],
    ])
    const file = form.get('avatar') as File
    expect(await (await fetch('/file', { method: 'PUT', body: file })).json()).toEqual(['text/plain', 'Grüße'])
    const body = new jsdom.window.URLSearchParams({ a: 'ä' })
    expect(await (await fetch('/file', { method: 'PUT', body })).json()).toEqual([
      'application/x-www-form-urlencoded;charset=UTF-8',
      'a=%C3%A4',
    ])
  })

  test('fetch rejects if its signal aborts while the form is read', async () => {
    server.listen({ onUnhandledRequest: 'error' })
    server.use(http.post('/form', () => new HttpResponse()))
    const controller = new AbortController()
    const sent = fetch('/form', { method: 'POST', body: form, signal: controller.signal })
    controller.abort()
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('files that a handler reads are instances of File', async () => {
    server.listen({ onUnhandledRequest: 'error' })
    server.use(
      http.post('/form', async ({ request }) => {
        const read = await request.formData()
        return HttpResponse.json([read.get('avatar') instanceof File, (read.get('note') as unknown) instanceof File])
      }),
    )
    expect(await (await fetch('/form', { method: 'POST', body: form })).json()).toEqual([true, false])
    expect(form.get('avatar')).toBeInstanceOf(File)
    server.close()
    expect(new NodeFile([], 'x')).not.toBeInstanceOf(File)
  })

  test('handlers of GraphQL read uploads', async () => {
    server.listen({ onUnhandledRequest: 'error' })
    server.use(
      graphql.mutation('Upload', async ({ variables }) =>
        HttpResponse.json({ data: { name: (variables['file'] as File).name } }),
      ),
    )
    const upload = new FormData()
    upload.append('operations', JSON.stringify({ query: 'mutation Upload { name }', variables: { file: null } }))
    upload.append('map', '{"0":["variables.file"]}')
    upload.append('0', form.get('avatar') as File)
    const response = await fetch('/graphql', { method: 'POST', body: upload })
    expect(await response.json()).toEqual({ data: { name: 'ada.txt' } })
  })

  test('close() restores formData() of Node', async () => {
    const native = Response.prototype.formData
    server.listen()
    expect(Response.prototype.formData).not.toBe(native)
    expect(Response.prototype.formData.name).toBe('formData')
    const encoded = new Response(new URLSearchParams({ a: '1' }))
    expect([...(await encoded.formData())]).toEqual([['a', '1']])
    const other = setupServer()
    other.listen()
    server.close()
    expect(Response.prototype.formData).not.toBe(native)
    other.close()
    expect(Response.prototype.formData).toBe(native)
  })
})

declare const jsdom: { readonly window: { readonly URLSearchParams: typeof URLSearchParams } }

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { parseMultipart, type BodyPart } from './parse-multipart.ts'

/** Encodes a form as the platform does. */
async function encode(form: FormData): Promise<{ type: string; bytes: string }> {
  const response = new Response(form)
  const bytes = String.fromCharCode(...new Uint8Array(await response.arrayBuffer()))
  return { type: response.headers.get('content-type') ?? '', bytes }
}

const part = (given: Partial<BodyPart>): BodyPart => ({
  name: null,
  fileName: null,
  type: null,
  size: 0,
  text: '',
  isComplete: true,
  ...given,
})

test('shows the fields and files of a form', async () => {
  const form = new FormData()
  form.append('title', 'Käse\r\n--x')
  form.append('say "hi"', '')
  form.append('photo', new File([new Uint8Array([137, 80, 0, 255])], 'große "Katze".png', { type: 'image/png' }))
  form.append('notes', new File(['a,b\n1,2'], 'notes.csv', { type: 'text/csv' }))
  form.append('data', new File(['{"a":1}'], '手册.bin'))
  const { type, bytes } = await encode(form)
  expect(parseMultipart(type, bytes)).toEqual([
    part({ name: 'title', size: 10, text: 'Käse\r\n--x' }),
    part({ name: 'say "hi"' }),
    part({ name: 'photo', fileName: 'große "Katze".png', type: 'image/png', size: 4, text: null }),
    part({ name: 'notes', fileName: 'notes.csv', type: 'text/csv', size: 7, text: 'a,b\n1,2' }),
    part({ name: 'data', fileName: '手册.bin', type: 'application/octet-stream', size: 7, text: '{"a":1}' }),
  ])
})

const body = (...parts: string[]): string => `${parts.map((each) => `--b\r\n${each}\r\n`).join('')}--b--\r\n`

test.each<[what: string, type: string, bytes: string, part: Partial<BodyPart>]>([
  [
    'a quoted boundary',
    'multipart/form-data; boundary="b"',
    body('Content-Disposition: form-data; name="a"\r\n\r\n1'),
    { name: 'a', size: 1, text: '1' },
  ],
  [
    'other parameters',
    'Multipart/Related; type="a/b"; boundary=b; start=c',
    body('Content-Type: a/b\r\n\r\n1'),
    { type: 'a/b', size: 1, text: '1' },
  ],
  ['a part without headers', 'multipart/mixed; boundary=b', body('\r\n1'), { size: 1, text: '1' }],
  ['a preamble', 'multipart/mixed; boundary=b', `Read this.\r\n${body('\r\n1')}`, { size: 1, text: '1' }],
  [
    'an escaped quotation mark, as curl sends it',
    'multipart/form-data; boundary=b',
    body('content-disposition:form-data; filename="a\\"b.txt"; name=c\r\n\r\n'),
    { name: 'c', fileName: 'a"b.txt' },
  ],
  [
    'a file name in another form',
    'multipart/form-data; boundary=b',
    body('Content-Disposition: form-data; name="a"; filename*=UTF-8\'\'%E2%82%AC.txt\r\n\r\n'),
    { name: 'a', fileName: '€.txt' },
  ],
  [
    'a line that begins with the delimiter',
    'multipart/mixed; boundary=b',
    '--b\r\n\r\n1\r\n--by\r\n--b x\r\n--b-\r\n--b--y\r\n--b  \r\n\r\n--b--\n',
    { size: 28, text: '1\r\n--by\r\n--b x\r\n--b-\r\n--b--y' },
  ],
  [
    'a preamble that begins with the delimiter',
    'multipart/mixed; boundary=b',
    `--by\r\n${body('\r\n1')}`,
    { size: 1, text: '1' },
  ],
  [
    'a file name that contains parameters',
    'multipart/form-data; boundary=b',
    body('Content-Disposition: form-data; filename="x; name=evil; filename*=utf-8\'\'y"; name="real"\r\n\r\n'),
    { name: 'real', fileName: "x; name=evil; filename*=utf-8''y" },
  ],
  [
    'no file',
    'multipart/form-data; boundary=b',
    body('Content-Disposition: form-data; name="a"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n'),
    { name: 'a', fileName: '', type: 'application/octet-stream' },
  ],
])('reads %s', (_what, type, bytes, expected) => {
  expect(parseMultipart(type, bytes)).toEqual([part(expected)])
})

test('a body that is cut has the part that is cut', () => {
  const bytes = body(
    'Content-Disposition: form-data; name="a"\r\n\r\n1',
    'Content-Disposition: form-data; name="b"\r\n\r\nü',
  )
  const type = 'multipart/form-data; boundary=b'
  expect(parseMultipart(type, bytes.slice(0, -9))).toMatchObject([{ text: '1' }, { name: 'b', isComplete: false }])
  expect(parseMultipart(type, bytes.slice(0, 10))).toBeUndefined()
  // The last delimiter is cut, too.
  for (const length of [1, 2, 4]) {
    expect(parseMultipart(type, bytes.slice(0, -length))).toMatchObject([{ text: '1' }, { size: 1, isComplete: true }])
  }
})

test('a body may have any number of lines that begin with the delimiter', () => {
  const text = '\r\n--by'.repeat(100_000)
  expect(parseMultipart('multipart/form-data; boundary=b', body(`\r\n${text}`))).toMatchObject([{ text }])
})

test.each([
  ['multipart/form-data', '--b\r\n\r\n1\r\n--b--'],
  ['multipart/form-data; boundary=b', '--c\r\n\r\n1\r\n--c--'],
  ['multipart/form-data; boundary=b', ''],
])('%s and %j have no parts', (type, bytes) => {
  expect(parseMultipart(type, bytes)).toBeUndefined()
})

test('reads every form that the platform encodes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.string(), fc.uint8Array()), { minLength: 1, maxLength: 5 }),
      async (fields) => {
        const form = new FormData()
        for (const [name, bytes] of fields) form.append(name, new Blob([bytes]))
        const { type, bytes } = await encode(form)
        expect(parseMultipart(type, bytes)?.map(({ size }) => size)).toEqual(fields.map(([, each]) => each.length))
      },
    ),
  )
})

import type { InspectedBody } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { describeBytes, describeSize, readBody } from './read-body.ts'
import { showJson } from './show-json.ts'

const create = (type: string, given: Partial<InspectedBody>): InspectedBody => ({
  type,
  size: 4,
  isComplete: true,
  text: null,
  base64: null,
  ...given,
})

test('JSON is a tree, or text if it is cut or invalid', () => {
  expect(readBody(create('application/json; charset=utf-8', { text: '{"a":1}' }))).toMatchObject({
    as: 'json',
    value: { a: 1 },
  })
  expect(readBody(create('application/problem+json', { text: '[]' }))).toMatchObject({ as: 'json', value: [] })
  expect(readBody(create('application/json', { text: '{"a"' }))).toEqual({ as: 'text', text: '{"a"' })
  expect(readBody(create('application/json', { text: '{"a":1}', isComplete: false }))).toMatchObject({ as: 'text' })
})

test('long integers keep their digits, also if the JSON is nested deeply', () => {
  const text =
    '{"id":1234567890123456789,"list":[-9007199254740993,12,1e21,1.5],"text":"9007199254740993","9007199254740993":null}'
  const shown = readBody(create('application/json', { text }))
  expect(shown).toMatchObject({
    as: 'json',
    value: {
      id: 1234567890123456789n,
      list: [-9007199254740993n, 12, 1e21, 1.5],
      text: '9007199254740993',
      '9007199254740993': null,
    },
  })
  expect(showJson('value' in shown ? shown.value : null, '0123456789').found?.count).toBe(1)
  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  expect(readBody(create('application/json', { text: deep }))).toMatchObject({ as: 'json' })
  // A number of a megabyte is not worth the time.
  const digits = '1'.repeat(1_000_000)
  expect(readBody(create('application/json', { text: digits }))).toMatchObject({ as: 'json', value: Infinity })
})

test('HTML is text', () => {
  expect(readBody(create('text/html', { text: '<b>' }))).toEqual({ as: 'text', text: '<b>' })
})

test('images become URLs that run no code', () => {
  expect(readBody(create('image/png', { base64: 'AAAA' }))).toEqual({ as: 'image', url: 'data:image/png;base64,AAAA' })
  expect(readBody(create('image/svg+xml', { text: '<svg/>' }))).toEqual({
    as: 'image',
    url: 'data:image/svg+xml;charset=utf-8,%3Csvg%2F%3E',
  })
  expect(readBody(create('image/html', { base64: 'AAAA' }))).toEqual({ as: 'bytes' })
  expect(readBody(create('application/octet-stream', { base64: 'AAAA' }))).toEqual({ as: 'bytes' })
})

test('multipart bodies with content are shown as parts', () => {
  const type = 'multipart/form-data; boundary=b'
  expect(readBody(create(type, { base64: btoa('--b--') }))).toEqual({ as: 'parts' })
  expect(readBody(create(type, { base64: '' }))).toEqual({ as: 'bytes' })
})

test('sizes say what is missing', () => {
  expect(describeSize(create('', { size: 1234, text: 'x' }))).toBe('1.2 kB')
  expect(describeSize(create('', { size: 70_000, text: 'x'.repeat(65_536), isComplete: false }))).toBe(
    'cut: the first 65.5 kB',
  )
  expect(describeSize(create('', { size: 3, text: 'abc', isComplete: false }))).toBe('3 B so far')
})

test('the first bytes of a binary body are shown, and an empty one is called so', () => {
  expect(describeBytes(create('image/html', { size: 3, base64: 'AAH/' }))).toBe('Binary: 00 01 ff')
  const long = describeBytes(create('', { size: 300, base64: btoa('a'.repeat(300)) }))
  expect(long).toBe(`Binary: ${'61 '.repeat(64)}…`)
  expect(describeBytes(create('', { size: 0 }))).toBe('The body is empty.')
  expect(describeBytes(create('', { size: 0, isComplete: false }))).toBe('Nothing has arrived yet.')
})

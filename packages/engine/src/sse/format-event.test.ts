import { expect, test } from 'vitest'

import { formatEvent, type EventParts } from './format-event.ts'

test.each<[EventParts, string]>([
  [{ data: 'hello' }, 'data: hello\n\n'],
  [{ data: '' }, 'data: \n\n'],
  [{ data: ' a' }, 'data:  a\n\n'],
  [{ data: 'a\nb\r\nc\rd' }, 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
  [{ data: { name: 'Ada' } }, 'data: {"name":"Ada"}\n\n'],
  [{ data: [1, 2] }, 'data: [1,2]\n\n'],
  [{ data: null }, 'data: null\n\n'],
  [{ data: 5 }, 'data: 5\n\n'],
  [{ data: false }, 'data: false\n\n'],
  [{ event: 'message', data: 'a' }, 'data: a\n\n'],
  [{ id: '5', event: 'joined', data: 'a', retry: 100 }, 'retry: 100\nid: 5\nevent: joined\ndata: a\n\n'],
  [{ event: 'ping' }, 'event: ping\ndata:\n\n'],
  [{ id: '' }, 'id: \n\n'],
  [{ retry: 0 }, 'retry: 0\n\n'],
  [{ event: '__proto__', data: 'a' }, 'event: __proto__\ndata: a\n\n'],
])('%o', (parts, text) => {
  expect(formatEvent(parts)).toBe(text)
})

test.each([
  [undefined, 'it is undefined'],
  ['hello', 'it is the string "hello"'],
  [{}, 'it has no data'],
  [{ data: undefined }, 'its data is undefined'],
  [{ event: 'ping', data: undefined }, 'its data is undefined'],
  [{ data: () => {} }, 'its data is the function "data"'],
  [{ data: Symbol('x') }, 'its data is a symbol'],
  [{ id: 'a\nb', data: '' }, 'its id is the string "a\\nb"'],
  [{ id: 'a\0b', data: '' }, 'its id is the string "a\\u0000b"'],
  [{ event: 'a\rb', data: '' }, 'its event is the string "a\\rb"'],
  [{ event: {}, data: '' }, 'its event is an object'],
  [{ retry: -1 }, 'its retry is the number -1'],
  [{ retry: 1.5 }, 'its retry is the number 1.5'],
  [{ retry: '100' }, 'its retry is the string "100"'],
])('refuses %o', (parts, reason) => {
  expect(() => formatEvent(parts as EventParts)).toThrow(`Failed to send an event: ${reason}`)
})

test('refuses data that becomes undefined as JSON', () => {
  expect(() => formatEvent({ data: { toJSON: () => undefined } })).toThrow(
    'Failed to send an event: its data is an object',
  )
})

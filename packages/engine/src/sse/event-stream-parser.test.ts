import { expect, test } from 'vitest'

import { EventStreamParser } from './event-stream-parser.ts'

/** Returns the events of a stream that is read in pieces of a size. */
function parse(text: string, size = text.length): unknown[] {
  const found: unknown[] = []
  const parser = new EventStreamParser(
    {
      onEvent: ({ type, data, lastEventId }) => found.push([type, data, lastEventId]),
      onRetry: (time) => found.push(time),
      onLastEventId: () => {},
    },
    'before',
  )
  const bytes = new TextEncoder().encode(text)
  for (let start = 0; start < bytes.length; start += size) parser.push(bytes.subarray(start, start + size))
  return found
}

test.each([
  ['data: one\n\n', [['message', 'one', 'before']]],
  ['data:one\n\n', [['message', 'one', 'before']]],
  ['data:  two spaces\n\n', [['message', ' two spaces', 'before']]],
  ['data: one\ndata: two\ndata\n\n', [['message', 'one\ntwo\n', 'before']]],
  ['data:\n\n', [['message', '', 'before']]],
  ['event: joined\ndata: {"name":"Ada"}\nid: 5\n\n', [['joined', '{"name":"Ada"}', '5']]],
  ['event: joined\n\ndata: x\n\n', [['message', 'x', 'before']]],
  ['id: 5\n\ndata: x\n\n', [['message', 'x', '5']]],
  ['id\ndata: x\n\n', [['message', 'x', '']]],
  ['id: a\0b\ndata: x\n\n', [['message', 'x', 'before']]],
  ['retry: 100\nretry: 1x\nretry: -1\n\n', [100]],
  [': comment\nunknown: x\nDATA: y\ndata: z\n\n', [['message', 'z', 'before']]],
  [
    'data: a\r\rdata: b\r\n\r\ndata: c\r\n\n',
    [
      ['message', 'a', 'before'],
      ['message', 'b', 'before'],
      ['message', 'c', 'before'],
    ],
  ],
  ['\ufeffdata: after a byte order mark\n\n', [['message', 'after a byte order mark', 'before']]],
  ['data: käse 🧀\n\n', [['message', 'käse 🧀', 'before']]],
  ['data: cut off', []],
  ['data: cut off\n', []],
])('%j', (text, events) => {
  expect(parse(text)).toEqual(events)
  // In pieces of every size.
  for (const size of [1, 2, 3, 7]) expect(parse(text, size)).toEqual(events)
})

test('an event is dispatched as soon as it is complete', () => {
  // The line feed that may follow belongs to the same end of a line.
  expect(parse('data: a\r\r')).toEqual([['message', 'a', 'before']])
})

import { expect, test } from 'vitest'

import { parseEvents } from './parse-events.ts'

test.each([
  ['data: one\n\n', [{ type: 'message', id: null, data: 'one' }]],
  ['event: joined\r\nid: 5\r\ndata: a\r\ndata: b\r\n\r\n', [{ type: 'joined', id: '5', data: 'a\nb' }]],
  [': comment\nretry: 100\n\ndata:x\rdata\r\r', [{ type: 'message', id: null, data: 'x\n' }]],
  ['\uFEFFdata: after a byte order mark\n\n', [{ type: 'message', id: null, data: 'after a byte order mark' }]],
  ['data: complete\n\ndata: incomplete\n', [{ type: 'message', id: null, data: 'complete' }]],
  ['event: without data\n\n', []],
  ['', []],
])('%j', (text, events) => {
  expect(parseEvents(text)).toEqual(events)
})

test('an event has the time at which its last part arrived', () => {
  const text = 'data: one\n\ndata: two\n\ndata: three\r\n\r\ndata: four\n\n'
  const arrivals = [
    { end: 11, at: 1 },
    { end: 15, at: 2 },
    { end: 22, at: 3 },
    // Two events at once, without the second half of the last line ending.
    { end: text.indexOf('\ndata: four'), at: 4 },
    { end: text.length, at: 5 },
  ]
  expect(parseEvents(text, arrivals).map(({ data, at }) => [data, at])).toEqual([
    ['one', 1],
    ['two', 3],
    ['three', 4],
    ['four', 5],
  ])
  // The times of the first events of a long stream are not kept, or the text was cut.
  expect(parseEvents('data: one\n\ndata: two\n\n', [{ end: 11, at: 1 }]).map(({ at }) => at)).toEqual([1, undefined])
})

import { expect, test } from 'vitest'

import { readResults } from './read-results.ts'
import { eventStream, type ResultFrame } from './result-format.ts'

test('reads results with all characters that JSON text can contain', async () => {
  // JSON does not escape U+2028 and U+2029, which end a line in JavaScript but not in an event stream.
  const frames: ResultFrame[] = [
    { type: 'next', payload: { data: { text: 'one\u2028two\u2029three' } } },
    { type: 'next', payload: { data: { text: 'four\n\r\u0085five' } } },
    { type: 'complete' },
  ]
  const text = frames.map((frame) => eventStream.write(frame)).join('')
  const response = new Response(text, { headers: { 'Content-Type': eventStream.contentType } })
  const found: ResultFrame[] = []
  for await (const frame of readResults(response)) found.push(frame)
  expect(found).toEqual(frames)
})

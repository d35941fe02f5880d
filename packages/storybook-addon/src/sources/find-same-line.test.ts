import { expect, test } from 'vitest'

import { findSameLine } from './find-same-line.ts'

const source = `import type { Boat } from './boat.ts'

function find(): Boat {
    throw new TypeError('No such boat')
}
log('twice')
log('twice')
`
const generated = `function find() {
  throw new TypeError("No such boat");
}
log("twice");
`

test('a line that was printed with other quotes and spaces, although the map names another line', () => {
  expect(findSameLine(generated, source, { line: 2, column: 9 }, { line: 6, column: 1 })).toEqual({
    line: 4,
    column: 11,
  })
})

test('of several lines with the same text, that of the map', () => {
  expect(findSameLine(generated, source, { line: 4, column: 1 }, { line: 7, column: 1 })).toEqual({
    line: 7,
    column: 1,
  })
  expect(findSameLine(generated, source, { line: 4, column: 1 }, { line: 1, column: 1 })).toBe(undefined)
})

test('nothing for a line without text, a line that was changed, and one that does not exist', () => {
  for (const line of [1, 3, 9]) expect(findSameLine(generated, source, { line, column: 1 }, undefined)).toBe(undefined)
})

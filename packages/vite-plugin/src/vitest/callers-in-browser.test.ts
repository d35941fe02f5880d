import { expect, test } from 'vitest'

import { toFrame } from './callers-in-browser.ts'

test.each([
  ['load@http://localhost/@fs/app/(shop)/@modal/a.ts:1:2', 'load (http://localhost/@fs/app/(shop)/@modal/a.ts:1:2)'],
  ['@http://localhost/@fs/app/a.ts:1:2', 'http://localhost/@fs/app/a.ts:1:2'],
  ['load@http://localhost/src/a.ts:1:2', 'load (http://localhost/src/a.ts:1:2)'],
])('%s becomes a frame of V8', (line, frame) => {
  expect(toFrame(line)).toEqual([`    at ${frame}`])
})

test('a frame of V8 stays as it is, and other lines are left out', () => {
  expect(toFrame('    at load (http://localhost/@fs/a.ts:1:2)')).toEqual([
    '    at load (http://localhost/@fs/a.ts:1:2)',
  ])
  expect(toFrame('Error: a@b')).toEqual([])
})

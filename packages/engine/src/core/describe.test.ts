import { expect, test } from 'vitest'

import { describe } from './describe.ts'

test('a description shortens long lists of keys', () => {
  expect(describe({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 })).toBe('an object with the keys a, b, c, d, e, …')
  expect(describe([1])).toBe('an array')
})

import { expect, test } from 'vitest'

import { RowKeys } from './row-keys.ts'

test('new rows take the keys of rows that left, in their order, and rows that stay keep theirs', () => {
  const keys = new RowKeys()
  expect(keys.assign(['a', 'b', 'c'], null)).toEqual([0, 1, 2])
  expect(keys.assign(['d', 'e', 'f'], null)).toEqual([0, 1, 2])
  expect(keys.assign(['g', 'd', 'e'], null)).toEqual([2, 0, 1])
  expect(keys.assign(['g', 'd', 'e'], null)).toEqual([2, 0, 1])
  expect(keys.assign(['h', 'i', 'g', 'd'], null)).toEqual([1, 3, 2, 0])
})

test('the key of a row that has the focus is not reused', () => {
  const keys = new RowKeys()
  keys.assign(['a', 'b'], null)
  expect(keys.assign(['c', 'd'], 'a')).toEqual([1, 2])
  expect(keys.assign(['e', 'f'], 'gone')).toEqual([1, 2])
})

test('a key is never that of two rows', () => {
  const keys = new RowKeys()
  for (let round = 0; round < 200; round += 1) {
    const length = 1 + ((round * 7) % 13)
    const ids = Array.from({ length }, (_, index) => String(((round * 5) % 31) + index))
    const given = keys.assign(ids, round % 3 === 0 ? String(round % 31) : null)
    expect(new Set(given).size).toBe(length)
  }
})

import { expect, test } from 'vitest'

import { membersOf, showJson } from './show-json.ts'

const keysOf = (value: object, search: string): string[] =>
  membersOf(value, showJson(value, search).found).map(([key]) => key)

test('the first two levels of a small value are open', () => {
  const deep = { c: { d: {} } }
  const value = { a: [1, 2], b: deep }
  expect([...showJson(value, '').open]).toEqual([value, value.a, deep])
})

test('a new tree has at most 200 rows', () => {
  const value = Array.from({ length: 5000 }, (_, id) => ({ id, tags: Array.from({ length: 50 }, () => 'tag') }))
  for (const search of ['', 'tag', 'id']) {
    const { open, found } = showJson(value, search)
    let rows = 0
    for (const container of open) rows += Math.min(100, membersOf(container, found).length)
    expect(open.has(value)).toBe(true)
    expect(rows).toBeLessThanOrEqual(200)
    expect(rows).toBeGreaterThan(100)
  }
})

test('a search keeps matches and the values that contain them', () => {
  const inner = { name: 'Ada', age: 36, isAdmin: false, note: null }
  const value = { first: inner, second: { name: 'Bob' }, list: ['x', 'ADA'] }
  const { found, open } = showJson(value, ' ada ')
  expect(found?.count).toBe(2)
  expect(membersOf(value, found).map(([key]) => key)).toEqual(['first', 'list'])
  expect(membersOf(inner, found)).toEqual([['name', 'Ada']])
  expect(membersOf(value.list, found)).toEqual([['1', 'ADA']])
  expect([...open]).toEqual([value, inner, value.list])
  expect(keysOf(inner, '36')).toEqual(['age'])
  expect(keysOf(inner, 'false')).toEqual(['isAdmin'])
  expect(keysOf(inner, 'null')).toEqual(['note'])
  expect(showJson(value, 'absent').found?.count).toBe(0)
})

test('a matching key keeps its whole value, and indexes do not match', () => {
  const value = { address: { street: 'Main' }, list: ['a', 'b'] }
  const { found, open } = showJson(value, 'address')
  expect(membersOf(value, found)).toEqual([['address', value.address]])
  expect(membersOf(value.address, found)).toEqual([['street', 'Main']])
  expect([...open]).toEqual([value])
  expect(showJson(value, '1').found?.count).toBe(0)
})

test('a value that is not an object is searched', () => {
  expect(showJson('Ada', 'ada').found?.count).toBe(1)
  expect(showJson(null, '').open.size).toBe(0)
})

test('the depth of a value does not matter', () => {
  const depth = 50_000
  const value: unknown = JSON.parse(`${'['.repeat(depth)}"needle"${']'.repeat(depth)}`)
  const { found, open } = showJson(value, 'needle')
  expect(found?.count).toBe(1)
  expect(found?.containers.size).toBe(depth)
  expect(open.size).toBe(200)
})

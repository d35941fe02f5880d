import { expect, test } from 'vitest'

import { Network } from '../core/network/network.ts'
import { inspect, type Inspection } from './inspect.ts'

function inspectState(state: unknown): Inspection {
  const network = new Network([])
  network.states = new Map([['module', state]])
  return inspect({ '~network': network })
}

function createUsers() {
  let users: unknown[] = [{ name: 'Ada' }]
  return {
    read: () => users,
    write(value: unknown[]) {
      users = value
    },
    async reset() {
      await Promise.resolve()
      users = []
    },
  }
}

test('parts are listed with their functions, and are missing without an export', () => {
  expect(inspectState(undefined).snapshot()).not.toHaveProperty('state')
  expect(inspectState({ users: createUsers(), clock: { read: () => 1 } }).snapshot().state).toEqual([
    { name: 'users', canWrite: true, canReset: true },
    { name: 'clock', canWrite: false, canReset: false },
  ])
})

test('a part is read as JSON, written from JSON, and reset', async () => {
  const inspection = inspectState({ users: createUsers() })
  expect(JSON.parse(await inspection.readState('users'))).toEqual([{ name: 'Ada' }])
  await inspection.writeState('users', '[{"name":"Grace"}]')
  expect(JSON.parse(await inspection.readState('users'))).toEqual([{ name: 'Grace' }])
  await inspection.resetState('users')
  expect(await inspection.readState('users')).toBe('[]')
})

test('an edit that no longer exports state removes it, and another one replaces it', async () => {
  const network = new Network([])
  const inspection = inspect({ '~network': network })
  network.states = new Map([['module', { count: { read: () => 1 } }]])
  network.states = new Map([['module', { count: { read: () => 2 } }]])
  expect(await inspection.readState('count')).toBe('2')
  network.states = new Map([['module', undefined]])
  expect(inspection.snapshot()).not.toHaveProperty('state')
})

test.each([
  ['a value that is not a record', 42, 'state', /read the state "state": it has no function read\(\).*US0881/],
  ['null', null, 'state', /US0881/],
  ['a misspelled function', { users: { reed: () => [] } }, 'users', /US0881/],
  ['another name', { users: { read: () => [] } }, 'toString', /no state of this name.*US0880/],
  ['a Map', { users: { read: () => new Map() } }, 'users', /it contains a Map.*US0886/],
  ['a Set inside', { users: { read: () => ({ all: new Set() }) } }, 'users', /it contains a Set.*US0886/],
  ['a function', { users: { read: () => () => {} } }, 'users', /a value of the type function.*US0886/],
  ['a bigint', { users: { read: () => 1n } }, 'users', /US0886/],
  ['a text that is too long', { users: { read: () => 'a'.repeat(2_000_001) } }, 'users', /US0882/],
])('the error of %s says what to do', async (_, state, name, message) => {
  await expect(inspectState(state).readState(name)).rejects.toThrow(message)
})

test('records that refer to each other are an error of one line', async () => {
  const author: { self?: object } = {}
  author.self = author
  const reading = inspectState({ authors: { read: () => author } }).readState('authors')
  await expect(reading).rejects.toThrow(/^Failed to read the state "authors": it is not JSON: [^\n]*US0886\)$/)
})

test('an error of read() is passed on', async () => {
  const read = (): never => {
    throw new Error('no database')
  }
  await expect(inspectState({ users: { read } }).readState('users')).rejects.toThrow('no database')
})

test('a part without write() or reset() does not change', async () => {
  const inspection = inspectState({ clock: { read: () => 1 } })
  await expect(inspection.writeState('clock', '2')).rejects.toThrow(/US0883/)
  await expect(inspection.resetState('clock')).rejects.toThrow(/US0885/)
})

test('a text that is not JSON changes nothing', async () => {
  const inspection = inspectState({ users: createUsers() })
  await expect(inspection.writeState('users', '[{')).rejects.toThrow(/US0884/)
  expect(JSON.parse(await inspection.readState('users'))).toEqual([{ name: 'Ada' }])
})

import { describe, expect, it } from 'vitest'

import { http } from '../../http/http.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { pickHandlers } from './pick-handlers.ts'

const [a, b, c] = ['/a', '/b', '/c'].map((path) => http.get(path, () => HttpResponse.json({})))

describe('takes', () => {
  it.each<[name: string, module: object]>([
    ['an array as `handlers`', { handlers: [a, b, c] }],
    ['an array by default', { default: [a, b, c] }],
    ['`handlers` before the default', { default: [c], handlers: [a, b, c] }],
    ['other exports next to them', { handlers: [a, b, c], onUnhandledRequest: 'bypass', fixtures: [] }],
    ['named groups', { handlers: { first: [a, b], second: [c] } }],
    ['named groups of one handler', { default: { first: a, second: [b, c] } }],
    ['groups that are empty', { handlers: { none: [], all: [a, b, c] } }],
    ['a namespace of groups', { handlers: Object.assign(Object.create(null), { first: [a], rest: [b, c] }) }],
    ['a function', { handlers: () => [a, b, c] }],
    ['a function that returns groups', { default: () => ({ first: [a], rest: [b, c] }) }],
    ['an asynchronous function', { handlers: async () => [a, b, c] }],
    ['a default where `handlers` is undefined', { handlers: undefined, default: [a, b, c] }],
  ])('%s', async (_name, module) => {
    expect(await pickHandlers(module, 'src/mocks/handlers.ts')).toEqual([a, b, c])
  })
})

it.each<[name: string, module: object]>([
  ['an empty array', { handlers: [] }],
  ['no groups', { default: {} }],
  ['groups without handlers', { handlers: { first: [] } }],
  ['a function that returns an empty array', { handlers: async () => [] }],
])('takes %s: a project may begin without handlers', async (_name, module) => {
  expect(await pickHandlers(module, 'src/mocks/handlers.ts')).toEqual([])
})

describe('refuses', () => {
  const shapes = 'Export an array of handlers, a record of named arrays, or a function that returns one.'
  const makeHandlers = 'Use a function like http.get(path, resolver).'

  it.each<[name: string, module: object, message: string]>([
    [
      'a module without exports',
      {},
      'it exports nothing. Export them: export const handlers = [http.get(path, resolver)].',
    ],
    [
      'a module with only other exports',
      { worker: 1, mocks: [a] },
      'it exports "worker", "mocks", but no handlers. Export them: export const handlers = [http.get(path, resolver)].',
    ],
    ['an export that is undefined', { handlers: undefined }, 'its export "handlers" is undefined. Export'],
    ['one handler', { default: a }, 'its default export is one handler. Put it into an array: [handler].'],
    ['a string', { handlers: 'all' }, `its export "handlers" is the string "all". ${shapes}`],
    ['a promise', { handlers: Promise.resolve([a]) }, `its export "handlers" is a promise. ${shapes}`],
    ['null', { handlers: null }, `its export "handlers" is null. ${shapes}`],
    ['a Map', { handlers: new Map([['a', a]]) }, `its export "handlers" is an instance of Map. ${shapes}`],
    ['a function that returns nothing', { handlers: () => {} }, `its export "handlers" returned undefined. ${shapes}`],
    ['an item that is an array', { handlers: [a, [b]] }, 'item 2 of its export "handlers" is an array. Spread it'],
    [
      'an item that is a string',
      { handlers: ['/user'] },
      `item 1 of its export "handlers" is the string "/user". ${makeHandlers}`,
    ],
    [
      'a group that is a function',
      { handlers: { first: [a], second: () => [b] } },
      'the group "second" is the function "second".',
    ],
    ['a member of a group', { default: { first: [a, null] } }, `item 2 of the group "first" is null. ${makeHandlers}`],
    [
      'handlers of another library',
      { handlers: [{ info: { header: 'GET /user' } }] },
      'item 1 of its export "handlers" is a handler of another library (GET /user). Import',
    ],
  ])('%s', async (_name, module, message) => {
    await expect(pickHandlers(module, 'src/mocks/handlers.ts')).rejects.toThrow(
      `Failed to read the handlers of src/mocks/handlers.ts: ${message}`,
    )
  })

  it('a function that throws, with its own error', async () => {
    const error = new Error('no fixtures')
    const module = { handlers: () => Promise.reject(error) }
    await expect(pickHandlers(module, 'src/mocks/handlers.ts')).rejects.toBe(error)
  })
})

import { describe, expect, test } from 'vitest'

import { getResponse, http, HttpResponse } from '../index.ts'
import { createFetchHandler } from '../server/create-fetch-handler.ts'
import { setupServer } from './setup-server.ts'

const url = 'http://api.test/user'
const user = http.get(url, () => HttpResponse.text('user'))

/** Returns the response of each API to its input; undefined if no handler answers. */
const ways: [name: string, ask: (input: never) => Promise<string | undefined>][] = [
  ['getResponse', async (input) => (await getResponse(input, new Request(url)))?.text()],
  [
    'createFetchHandler',
    async (input) => {
      const response = await createFetchHandler(input)(new Request(url))
      return response.ok ? response.text() : undefined
    },
  ],
  [
    'setupServer',
    async (input) => {
      const server = setupServer(input)
      return (await getResponse(server.listHandlers(), new Request(url)))?.text()
    },
  ],
]

describe.each(ways)('%s', (_name, ask) => {
  test.each<[name: string, input: unknown, answer: string | undefined]>([
    ['a handler', user, 'user'],
    ['a list', [user], 'user'],
    ['named groups', { users: [user] }, 'user'],
    ['named groups of one handler', { user }, 'user'],
    ['an empty list', [], undefined],
    ['no groups', {}, undefined],
  ])('takes %s', async (_input, input, answer) => {
    expect(await ask(input as never)).toBe(answer)
  })

  test.each<[name: string, input: unknown, reason: string]>([
    ['a list in a list', [[user]], 'item 1 of argument 1 is an array. Spread it, with three dots: (...handlers).'],
    ['null', null, 'argument 1 is null. Use a function like http.get(path, resolver).'],
    ['a record of something else', { path: '/user' }, 'argument 1 is an object with the keys path. Use a function'],
    [
      'a text in a group',
      { users: ['/user'] },
      'item 1 of the group "users" of argument 1 is the string "/user". Use a function',
    ],
  ])('refuses %s', async (_input, input, reason) => {
    const refusal = (async () => ask(input as never))()
    await expect(refusal).rejects.toThrow(/^Failed to (?:get a response|create a server|set up a server): /)
    await expect(refusal).rejects.toThrow(reason)
  })
})

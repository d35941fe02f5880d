import { expect, test, vi } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { setupWorker } from './start/setup-worker.ts'

const user = http.get('/user', () => HttpResponse.text('user'))

test.each<[name: string, input: unknown, isMocked: boolean]>([
  ['a handler', user, true],
  ['a list', [user], true],
  ['named groups', { users: [user] }, true],
  ['named groups of one handler', { user }, true],
  ['an empty list', [], false],
  ['no groups', {}, false],
])('setupWorker takes %s', async (_name, input, isMocked) => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  const worker = setupWorker(input as never)
  const serviceWorker = { url: '/understudy-worker.js', options: { scope: '/' } }
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass', serviceWorker })
  try {
    const text = await (await fetch('/user')).text()
    expect(text === 'user').toBe(isMocked)
  } finally {
    worker.stop()
    vi.restoreAllMocks()
  }
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
])('setupWorker refuses %s', (_name, input, reason) => {
  expect(() => setupWorker(input as never)).toThrow(reason)
})

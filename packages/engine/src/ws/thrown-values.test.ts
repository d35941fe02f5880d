import { expect, test, vi } from 'vitest'

import { next, record } from './testing/record.ts'
import { chat, listen } from './testing/ws-handlers.ts'

/** Returns a promise that is not an instance of this realm's class, like those of `node:vm` and of frames. */
function fromOtherRealm(promise: Promise<unknown>): object {
  const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(Promise.prototype)
  return Object.setPrototypeOf(promise, Object.create(Object.prototype, members) as object) as object
}

test.each([
  [
    'throws',
    () => {
      throw Object.create(null)
    },
  ],
  ['rejects', () => Promise.reject(Object.create(null) as Error)],
  ['rejects in another realm', () => fromOtherRealm(Promise.reject(Object.create(null) as Error))],
])('a handler that %s with a value that cannot be converted to text closes the connection', async (_, connect) => {
  const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
  listen(chat.addEventListener('connection', connect))
  const { events, closed } = record('wss://example.com/chat/5')
  await closed
  expect(events.at(-1)).toMatch(/^close 1011 .* unclean$/)
  expect(error).toHaveBeenCalledWith(expect.stringContaining('US0603'), expect.anything())
})

test('a listener whose promise of another realm rejects closes the connection', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  const listener = (): object => fromOtherRealm(Promise.reject(new Error('from afar')))
  listen(chat.addEventListener('connection', ({ client }) => client.addEventListener('message', listener)))
  const { socket, events, closed } = record('wss://example.com/chat/5')
  await next(socket, 'open')
  socket.send('hello')
  await closed
  expect(events).toEqual(['open 1', 'error', 'close 1011 from afar unclean'])
})

import { describe, expect, test, vi } from 'vitest'

import { next, record } from './testing/record.ts'
import { chat, listen } from './testing/ws-handlers.ts'
import { ws } from './ws.ts'

describe('bad input', () => {
  test.each([
    [undefined, 'its URL is undefined'],
    [5, 'its URL is the number 5'],
    ['', 'its URL is empty'],
    [new URL('wss://example.com'), 'its URL is an instance of URL'],
    ['ftp://example.com', '"ftp:" is not a WebSocket scheme'],
    ['wss://example.com/:id(', 'is never closed'],
  ])('a link to %s', (url, reason) => {
    expect(() => ws.link(url as string)).toThrow(reason)
  })

  test('a query in the URL of a link is ignored, with a warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const link = ws.link('wss://example.com/room?id=5')
    // In a page, the warning is printed after the module.
    await Promise.resolve()
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(
        /has "\?id=5" in its URL, which is ignored\. Write 'wss:\/\/example\.com\/room' and read the query from the connection: /,
      ),
    )
    listen(link.addEventListener('connection', () => {}))
    await next(record('wss://example.com/room?id=6').socket, 'open')
  })

  test('an invalid event or listener', () => {
    // @ts-expect-error there is no such event
    expect(() => chat.addEventListener('message', () => {})).toThrow(
      `Failed to listen to WS wss://example.com/chat/:room: a link has no event the string "message". Listen to 'connection'.`,
    )
    // @ts-expect-error a listener is a function
    expect(() => chat.addEventListener('connection', {})).toThrow('the listener is an object')
  })

  test('messages that a handler cannot send, and invalid close codes', async () => {
    const errors: unknown[] = []
    listen(
      chat.addEventListener('connection', ({ client, server }) => {
        const attempts = [
          () => client.send({ text: 'hello' } as never),
          () => client.send(undefined as never),
          () => client.close(999),
          () => client.close(1016),
          () => client.close(Number.NaN),
          () => client.close(1000, 'x'.repeat(124)),
          () => server.send('hello'),
          () => server.close(),
          () => server.socket,
        ]
        for (const attempt of attempts) {
          try {
            attempt()
          } catch (error) {
            errors.push(`${(error as Error).name}: ${(error as Error).message}`)
          }
        }
      }),
    )
    await next(record('wss://example.com/chat/5').socket, 'open')
    const url = 'wss://example.com/chat/5'
    const codes = 'Use 1000 (done), 1001 to 1015 (the protocol’s own), or 3000 to 4999 (yours). (US0604)'
    const carried =
      'A WebSocket carries text, Blob, ArrayBuffer and typed arrays: send JSON.stringify(message). (US0607)'
    const connect = 'there is no connection to it. Call server.connect() first. (US0609)'
    expect(errors).toEqual([
      `UnderstudyError: Failed to send to the client of ${url}: the message is an object with the keys text. ${carried}`,
      `UnderstudyError: Failed to send to the client of ${url}: the message is undefined. ${carried}`,
      `InvalidAccessError: Failed to close the client of ${url}: 999 is not a valid close code. ${codes}`,
      `InvalidAccessError: Failed to close the client of ${url}: 1016 is not a valid close code. ${codes}`,
      `InvalidAccessError: Failed to close the client of ${url}: NaN is not a valid close code. ${codes}`,
      `SyntaxError: Failed to close the client of ${url}: the reason is longer than 123 bytes. Shorten it. (US0605)`,
      `UnderstudyError: Failed to send to the server ${url}: ${connect}`,
      `UnderstudyError: Failed to close the connection to the server ${url}: ${connect}`,
      `UnderstudyError: Failed to use the socket of the server ${url}: ${connect}`,
    ])
  })
})

import { describe, expect, test, vi } from 'vitest'

import { countMoved } from '../testing/count-moved.ts'
import { next, record } from './testing/record.ts'
import { chat, listen } from './testing/ws-handlers.ts'
import type { WebSocketClient } from './web-socket-client.ts'

describe('closing', () => {
  test.each([
    { args: [], seen: 'close 1000  clean' },
    { args: [1000], seen: 'close 1000  clean' },
    { args: [3001, 'käse'], seen: 'close 3001 käse clean' },
  ] as { args: [code?: number, reason?: string]; seen: string }[])('by the app with $args', async ({ args, seen }) => {
    const log: unknown[] = []
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('close', ({ code, reason, wasClean }) => log.push([code, reason, wasClean]))
      }),
    )
    const { socket, events, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    socket.close(...args)
    expect(socket.readyState).toBe(WebSocket.CLOSING)
    socket.close()
    await closed
    expect(events).toEqual(['open 1', seen])
    expect(log).toEqual([[args[0] ?? 1000, args[1] ?? '', true]])
  })

  test.each([
    [undefined, 'close 1000  clean'],
    [1001, 'close 1001  clean'],
    [1012, 'close 1012  clean'],
    [4999, 'close 4999  clean'],
  ])('by the handler with %s', async (code, seen) => {
    const ended = vi.fn<() => void>()
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('close', ended)
        client.close(code)
      }),
    )
    const { events, closed } = record('wss://example.com/chat/5')
    await closed
    expect(events).toEqual(['open 1', seen])
    expect(ended).toHaveBeenCalledOnce()
  })

  test('messages that the handler sent before it closes arrive', async () => {
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.send('no')
        client.close(1008, 'who are you?')
        client.send('too late')
      }),
    )
    const { events, closed } = record('wss://example.com/chat/5')
    await closed
    expect(events).toEqual(['open 1', 'no', 'close 1008 who are you? clean'])
  })

  test('1006 refuses a connection, and ends an open one with an error', async () => {
    listen(
      chat.addEventListener('connection', ({ client, params }) => {
        if (params.room === 'closed') client.close(1006)
        client.addEventListener('message', () => client.close(1006))
      }),
    )
    const refused = record('wss://example.com/chat/closed')
    await refused.closed
    expect(refused.events).toEqual(['error', 'close 1006  unclean'])
    const broken = record('wss://example.com/chat/open')
    await next(broken.socket, 'open')
    broken.socket.send('x')
    await broken.closed
    expect(broken.events).toEqual(['open 1', 'error', 'close 1006  unclean'])
  })

  test('before it is open, like on the platform', async () => {
    const { native } = listen(chat.addEventListener('connection', () => {}))
    const { socket, events, closed } = record('wss://example.com/chat/5')
    socket.close()
    expect(socket.readyState).toBe(native.CLOSING)
    await closed
    expect(events).toEqual(['error', 'close 1006  unclean'])
  })

  test('messages that arrive while the app closes are dropped', async () => {
    let send = (): void => {}
    listen(
      chat.addEventListener('connection', ({ client }) => {
        send = () => client.send('late')
      }),
    )
    const { socket, events, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    send()
    socket.close()
    await closed
    expect(events).toEqual(['open 1', 'close 1000  clean'])
  })
})

describe('a handler that throws', () => {
  test('on the connection refuses it, and the console names the handler', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    const error = new Error('no such room')
    listen(
      chat.addEventListener('connection', () => {
        throw error
      }),
      chat.addEventListener('connection', ({ client }) => client.send('never')),
    )
    const { events, closed } = record('wss://example.com/chat/5')
    await closed
    expect(events).toEqual(['error', 'close 1011 no such room unclean'])
    expect(print).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(
        /^\[understudy\] Failed to handle the connection to wss:\/\/example\.com\/chat\/5: the handler WS wss:\/\/example\.com\/chat\/:room \(.*mocked-connection\.test\.ts.*\) threw\. The connection closes with the code 1011\./,
      ),
      error,
    )
  })

  test.each([
    [
      'in a listener',
      (client: WebSocketClient) =>
        client.addEventListener('message', () => {
          throw new Error('x'.repeat(200))
        }),
    ],
    [
      'later',
      (client: WebSocketClient) =>
        client.addEventListener('message', async () => {
          await Promise.resolve()
          throw new Error('x'.repeat(200))
        }),
    ],
  ])('%s closes it', async (_name, add) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    listen(chat.addEventListener('connection', ({ client }) => add(client)))
    const { socket, events, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    socket.send('x')
    await closed
    expect(events).toEqual(['open 1', 'error', `close 1011 ${'x'.repeat(123)} unclean`])
  })

  test('calls the listeners for errors', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { network } = listen(
      chat.addEventListener('connection', async () => {
        await Promise.resolve()
        throw new Error('later')
      }),
    )
    const heard: unknown[] = []
    network.events.on('websocket:connection', ({ url, protocols }) => heard.push([url.href, protocols]))
    network.events.on('websocket:error', ({ url, error }) => heard.push([url.href, error.message]))
    network.events.on('unhandledException', ({ request, error }) => heard.push([request.url, error.message]))
    await record('wss://example.com/chat/5', 'v1').closed
    expect(heard).toEqual([
      ['wss://example.com/chat/5', 'v1'],
      ['wss://example.com/chat/5', 'later'],
      ['wss://example.com/chat/5', 'later'],
    ])
    expect(print).toHaveBeenCalledOnce()
  })
})

test('many messages at once, in both directions, take time in proportion to their number', async () => {
  const count = 2000
  const received: unknown[] = []
  listen(
    chat.addEventListener('connection', ({ client }) => {
      client.addEventListener('message', ({ data }) => {
        received.push(data)
        if (received.length < count) return
        for (let index = 0; index < count; index += 1) client.send(`answer ${index}`)
        client.close()
      })
    }),
  )
  const { socket, events, closed } = record('wss://example.com/chat/5')
  await next(socket, 'open')
  const moved = await countMoved(async () => {
    for (let index = 0; index < count; index += 1) socket.send(`message ${index}`)
    await closed
  })
  const list = (name: string): string[] => Array.from({ length: count }, (_, index) => `${name} ${index}`)
  expect(received).toEqual(list('message'))
  expect(events).toEqual(['open 1', ...list('answer'), 'close 1000  clean'])
  expect(moved).toBeLessThan(count * 20)
})

import { describe, expect, test, vi } from 'vitest'

import type { Handler } from '../core/handlers/request-handler.ts'
import { next, record } from './testing/record.ts'
import { chat, listen } from './testing/ws-handlers.ts'
import type { WebSocketClient } from './web-socket-client.ts'
import type { MatchedConnection, WebSocketOpening, WithWebSocketSide } from './web-socket-side.ts'
import { ws } from './ws.ts'

test('calls a handler with the client and its connection', async () => {
  const connected = vi.fn<(connection: object) => void>()
  listen(chat.addEventListener('connection', connected))
  const { socket } = record('wss://example.com/chat/5?from=here', ['v2', 'v1'])
  await next(socket, 'open')

  expect(connected).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      type: 'connection',
      params: { room: '5' },
      info: { protocols: ['v2', 'v1'] },
      client: expect.objectContaining({ url: new URL('wss://example.com/chat/5?from=here'), socket }),
    }),
  )
  expect(socket.protocol).toBe('v2')
})

test('messages go both ways, in order, and the handler may send first', async () => {
  listen(
    chat.addEventListener('connection', ({ client }) => {
      client.send('welcome')
      client.addEventListener('message', ({ data }) => {
        client.send(typeof data === 'string' ? `you said ${data}` : data)
        if (data === 'bye') client.close(4000, 'done')
      })
    }),
  )
  const { socket, events, closed } = record('wss://example.com/chat/5')
  await next(socket, 'message')
  socket.send('hello')
  socket.send('bye')
  await closed
  expect(events).toEqual(['open 1', 'welcome', 'you said hello', 'you said bye', 'close 4000 done clean'])
  expect(socket.readyState).toBe(WebSocket.CLOSED)
})

test('a connection opens although a test library has replaced timers and `queueMicrotask`', async () => {
  vi.useFakeTimers({ toFake: ['queueMicrotask', 'setTimeout'] })
  try {
    listen(chat.addEventListener('connection', ({ client }) => client.send('welcome')))
    const { socket } = record('wss://example.com/chat/5')
    expect(await next(socket, 'message')).toMatchObject({ data: 'welcome' })
  } finally {
    vi.useRealTimers()
  }
})

test('a message is an event of the socket, with the origin of the server', async () => {
  listen(chat.addEventListener('connection', ({ client }) => client.send('hello')))
  const { socket } = record('wss://example.com/chat/5')
  const event = await next(socket, 'message')
  expect(event).toBeInstanceOf(MessageEvent)
  expect(event.target).toBe(socket)
  expect(event.origin).toBe('wss://example.com')
})

test('an app and a handler that answer each other do not block other tasks', async () => {
  listen(
    chat.addEventListener('connection', ({ client }) => {
      client.addEventListener('message', ({ data }) => client.send(data))
    }),
  )
  const { socket } = record('wss://example.com/chat/5')
  let count = 0
  socket.addEventListener('message', ({ data }) => {
    count += 1
    if (socket.readyState === WebSocket.OPEN) socket.send(data as string)
  })
  await next(socket, 'open')
  socket.send('ping')
  await next(socket, 'message')
  // The task runs. It would not if the messages left no pause for other tasks.
  await new Promise((resolve) => {
    setTimeout(resolve, 20)
  })
  const before = count
  await next(socket, 'message')
  expect(count).toBeGreaterThan(before)
  socket.close()
})

test('works with fake timers', async () => {
  vi.useFakeTimers()
  try {
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => client.send(data))
      }),
    )
    const { socket, events, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    socket.send('hello')
    await next(socket, 'message')
    socket.close()
    await closed
    expect(events).toEqual(['open 1', 'hello', 'close 1000  clean'])
  } finally {
    vi.useRealTimers()
  }
})

describe('clients and broadcasts', () => {
  test('clients contains the connected clients', async () => {
    const link = ws.link('wss://example.com/room')
    listen(link.addEventListener('connection', () => {}))
    const first = record('wss://example.com/room')
    const second = record('wss://example.com/room')
    await Promise.all([next(first.socket, 'open'), next(second.socket, 'open')])
    expect([...link.clients].map(({ socket }) => socket)).toEqual([first.socket, second.socket])
    first.socket.close()
    await first.closed
    expect([...link.clients].map(({ socket }) => socket)).toEqual([second.socket])
  })

  test('a broadcast reaches all clients, or all except some', async () => {
    const link = ws.link('wss://example.com/room')
    const members: WebSocketClient[] = []
    // A connection with two handlers is one client.
    listen(
      link.addEventListener('connection', ({ client }) => void members.push(client)),
      link.addEventListener('connection', () => {}),
    )
    const sockets = [1, 2, 3].map(() => record('wss://example.com/room'))
    await Promise.all(sockets.map(({ socket }) => next(socket, 'open')))
    expect(link.clients.size).toBe(3)
    const [one, two] = members as [WebSocketClient, WebSocketClient, WebSocketClient]
    link.broadcast('all')
    link.broadcastExcept(one, 'not 1')
    link.broadcastExcept([one, two], 'only 3')
    for (const client of link.clients) client.close()
    await Promise.all(sockets.map(({ closed }) => closed))
    expect(sockets.map(({ events }) => events.slice(1, -1))).toEqual([
      ['all'],
      ['all', 'not 1'],
      ['all', 'not 1', 'only 3'],
    ])
  })
})

describe('several handlers', () => {
  test('all matching handlers get a connection, in their order', async () => {
    const log: string[] = []
    listen(
      chat.addEventListener('connection', () => log.push('first')),
      ws.link('*/chat/*').addEventListener('connection', ({ client }) => {
        log.push('second')
        client.send('hello')
      }),
      ws.link('wss://example.com/other').addEventListener('connection', () => log.push('other')),
    )
    const { socket } = record('wss://example.com/chat/5')
    await next(socket, 'message')
    expect(log).toEqual(['first', 'second'])
  })

  test('stopPropagation() ends the propagation', async () => {
    const log: string[] = []
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', (event) => {
          log.push('first')
          if (event.data === 'stop') event.stopPropagation()
          if (event.data === 'stop at once') event.stopImmediatePropagation()
        })
        client.addEventListener('message', () => log.push('first again'))
      }),
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', () => log.push('second'))
      }),
    )
    const { socket, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    const logs: string[][] = []
    for (const message of ['go on', 'stop', 'stop at once']) {
      socket.send(message)
      await vi.waitFor(() => expect(log).not.toEqual([]))
      logs.push(log.splice(0))
    }
    socket.close()
    await closed
    expect(logs).toEqual([['first', 'first again', 'second'], ['first', 'first again'], ['first']])
  })

  test('a removed listener gets no more events; `once`, `signal` and objects work', async () => {
    const log: unknown[] = []
    listen(
      chat.addEventListener('connection', ({ client }) => {
        const removed = (): void => void log.push('removed')
        client.addEventListener('message', removed)
        client.removeEventListener('message', removed)
        client.addEventListener('message', () => log.push('once'), { once: true })
        client.addEventListener('message', () => log.push('aborted'), { signal: AbortSignal.abort() })
        client.addEventListener('message', { handleEvent: ({ data }) => log.push(data) })
        client.addEventListener('message', function () {
          log.push(this === client.socket)
        })
      }),
    )
    const { socket, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    socket.send('a')
    socket.send('b')
    socket.close()
    await closed
    expect(log).toEqual(['once', 'a', true, 'b', true])
  })

  test('removeEventListener() of a link removes a listener', async () => {
    const link = ws.link('wss://example.com/room')
    const listener = vi.fn<() => void>()
    listen(
      link.addEventListener('connection', listener),
      link.addEventListener('connection', () => {}),
    )
    link.removeEventListener('connection', listener)
    const { socket } = record('wss://example.com/room')
    await next(socket, 'open')
    expect(listener).not.toHaveBeenCalled()
  })
})

describe('layers', () => {
  test('handlers are added and removed with use, reset and scopes', async () => {
    const greet = (text: string): Handler =>
      ws.link('wss://example.com/room').addEventListener('connection', ({ client }) => client.send(text))
    const { network } = listen(greet('initial'))
    const greetings = async (): Promise<unknown[]> => {
      const { socket, events, closed } = record('wss://example.com/room')
      await next(socket, 'open')
      socket.addEventListener('message', () => socket.close())
      await closed
      return events.filter((event) => !String(event).startsWith('close') && event !== 'open 1')
    }
    expect(await greetings()).toEqual(['initial'])
    const [entry] = network.layers.entries()
    expect(entry?.hits).toBe(1)

    network.layers.use([greet('runtime')])
    network.layers.install('story', [greet('scoped')])
    const first = record('wss://example.com/room')
    await next(first.socket, 'message')
    await vi.waitFor(() => expect(first.events).toEqual(['open 1', 'runtime', 'scoped', 'initial']))

    network.layers.remove('story')
    network.layers.reset([])
    expect(await greetings()).toEqual(['initial'])
  })

  test('a disabled handler gets no connections', async () => {
    const listener = vi.fn<() => void>()
    const { network } = listen(
      chat.addEventListener('connection', listener),
      chat.addEventListener('connection', () => {}),
    )
    const [entry] = network.layers.entries()
    if (entry) entry.enabled = false
    const { socket } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    expect(listener).not.toHaveBeenCalled()
  })

  test('a delayed handler does not get a connection that the app has closed before', async () => {
    const link = ws.link('wss://example.com/delayed')
    const urls: string[] = []
    const { network } = listen(link.addEventListener('connection', ({ client }) => void urls.push(client.url.search)))
    const [entry] = network.layers.entries()
    if (entry) entry.override = { delay: 20 }
    const closing = record('wss://example.com/delayed?closed')
    await Promise.resolve()
    closing.socket.close()
    const { socket } = record('wss://example.com/delayed?open')
    await next(socket, 'open')
    await closing.closed
    expect([...link.clients].map(({ url }) => url.search)).toEqual(['?open'])
    expect(urls).toEqual(['?open'])
    socket.close()
  })

  test('a forced network error refuses the connection', async () => {
    const { network } = listen(chat.addEventListener('connection', () => {}))
    const [entry] = network.layers.entries()
    if (entry) entry.override = { networkError: true, delay: 1 }
    const { events, closed } = record('wss://example.com/chat/5')
    await closed
    expect(events).toEqual(['error', 'close 1006  unclean'])
  })
})

describe('a handler of another protocol', () => {
  function createSide(name: string, calls: unknown[]): Handler {
    const { '~open': open } = chat.addEventListener('connection', () => {})
    const info = { header: `QUERY ${name}`, callSite: undefined }
    return {
      '~handler': true,
      kind: 'request',
      info,
      isUsed: false,
      '~webSocket': {
        info,
        '~open': open,
        '~definition': {
          header: info.header,
          callSite: () => undefined,
          match: ({ protocols }: WebSocketOpening) => (protocols.includes('special') ? { name } : null),
          selectProtocol: () => 'special',
          connect({ client, memo, extras }: MatchedConnection) {
            calls.push(extras)
            if (memo.has(key)) return
            memo.set(key, true)
            client.send('one session')
          },
        },
      },
    } as Handler & WithWebSocketSide
  }
  const key = Symbol('session')

  test('gets connections by their subprotocol, and shares a session with other handlers of it', async () => {
    const calls: unknown[] = []
    const { network } = listen(createSide('a', calls), createSide('b', calls))
    const { socket, events } = record('wss://example.com/graphql', ['other', 'special'])
    await next(socket, 'message')
    expect(socket.protocol).toBe('special')
    expect(events).toEqual(['open 1', 'one session'])
    expect(calls).toEqual([{ name: 'a' }, { name: 'b' }])
    // It counts the messages of the connection, including this one.
    expect(network.layers.entries().map(({ hits }) => hits)).toEqual([0, 0])
    socket.close()
  })
})

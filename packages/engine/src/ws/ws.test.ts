import { afterEach, describe, expect, test, vi } from 'vitest'

import type { Handler } from '../core/handlers/request-handler.ts'
import { intercept } from './testing/intercept.ts'
import { next, record } from './testing/record.ts'
import type { WebSocketClient } from './web-socket-client.ts'
import type { MatchedConnection, WebSocketOpening, WithWebSocketSide } from './web-socket-side.ts'
import { ws } from './ws.ts'

let stop = (): void => {}
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

function listen(...handlers: Handler[]): ReturnType<typeof intercept> {
  const interception = intercept(handlers)
  ;({ stop } = interception)
  return interception
}

const chat = ws.link('wss://example.com/chat/:room')

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

describe('closing', () => {
  test.each([
    { args: [], seen: 'close 1005  clean' },
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
    expect(log).toEqual([[args[0] ?? 1005, args[1] ?? '', true]])
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
    expect(events).toEqual(['open 1', 'close 1005  clean'])
  })
})

describe('binary messages', () => {
  const bytes = Uint8Array.of(1, 2, 250)

  test.each([
    ['an ArrayBuffer', bytes.buffer],
    ['a typed array', bytes],
    ['a part of a buffer', Uint8Array.of(0, 1, 2, 250, 9).subarray(1, 4)],
    ['a DataView', new DataView(bytes.buffer)],
    ['a Blob', new Blob([bytes])],
  ])('%s reaches an app as its binaryType says', async (_name, data) => {
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.send(data)
        client.send('after')
        client.close()
      }),
    )
    const blob = record('wss://example.com/chat/5')
    const buffer = record('wss://example.com/chat/5', [], 'arraybuffer')
    await Promise.all([blob.closed, buffer.closed])
    expect(blob.events[1]).toBeInstanceOf(Blob)
    expect(new Uint8Array(await (blob.events[1] as Blob).arrayBuffer())).toEqual(bytes)
    expect(buffer.events[1]).toBeInstanceOf(ArrayBuffer)
    expect(new Uint8Array(buffer.events[1] as ArrayBuffer)).toEqual(bytes)
    // Reading a Blob takes time. Later messages still arrive after it.
    expect([blob.events[2], buffer.events[2]]).toEqual(['after', 'after'])
  })

  test('a handler gets a copy of the message at the time of send()', async () => {
    const received: unknown[] = []
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => received.push(data))
      }),
    )
    const { socket, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    const changing = Uint8Array.of(1, 2)
    const blob = new Blob(['text'])
    socket.send(changing)
    socket.send(changing.buffer)
    socket.send(Float32Array.of(1.5))
    socket.send(blob)
    changing[0] = 9
    expect(socket.bufferedAmount).toBe(2 + 2 + 4 + 4)
    socket.close()
    await closed
    expect(received).toEqual([Uint8Array.of(1, 2), Uint8Array.of(1, 2).buffer, Float32Array.of(1.5), blob])
    expect(socket.bufferedAmount).toBe(0)
  })
})

describe('like the platform', () => {
  test('the socket is a WebSocket', async () => {
    const { native } = listen(chat.addEventListener('connection', () => {}))
    const { socket } = record(new URL('https://example.com/chat/5'))
    expect(socket).toBeInstanceOf(WebSocket)
    expect(socket).toBeInstanceOf(native)
    expect(socket).toBeInstanceOf(EventTarget)
    expect(socket.url).toBe('wss://example.com/chat/5')
    expect([socket.readyState, socket.CONNECTING, WebSocket.OPEN, socket.CLOSING, WebSocket.CLOSED]).toEqual([
      0, 0, 1, 2, 3,
    ])
    expect([socket.extensions, socket.protocol, socket.binaryType, socket.bufferedAmount]).toEqual(['', '', 'blob', 0])
    expect(WebSocket.name).toBe('WebSocket')
    await next(socket, 'open')
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })

  test('a class that extends it overrides its methods', async () => {
    const received: unknown[] = []
    const { native } = listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => received.push(data))
      }),
    )
    class JsonSocket extends WebSocket {
      readonly label = 'mine'
      override send(data: unknown): void {
        super.send(JSON.stringify(data))
      }
    }
    const socket = new JsonSocket('wss://example.com/chat/5')
    expect(socket).toBeInstanceOf(JsonSocket)
    expect(socket).toBeInstanceOf(native)
    expect(record('wss://example.com/chat/5').socket).not.toBeInstanceOf(JsonSocket)
    expect(socket.label).toBe('mine')
    await next(socket, 'open')
    socket.send({ a: 1 })
    socket.close()
    await next(socket, 'close')
    expect(received).toEqual(['{"a":1}'])
  })

  test('handlers on attributes are called, replaced and removed', async () => {
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.send('one')
        client.send('two')
        client.close()
      }),
    )
    const { socket, closed } = record('wss://example.com/chat/5')
    const log: unknown[] = []
    expect(socket.onmessage).toBeNull()
    socket.onopen = function (event) {
      log.push([event.type, this === socket])
    }
    socket.onmessage = () => {
      log.push('first')
      socket.onmessage = ({ data }) => log.push(['second', data])
    }
    socket.onerror = () => log.push('error')
    socket.onclose = () => log.push('close')
    socket.onclose = null
    await closed
    expect(log).toEqual([['open', true], 'first', ['second', 'two']])
  })

  test('invalid messages are refused', async () => {
    listen(chat.addEventListener('connection', () => {}))
    const { socket, events, closed } = record('wss://example.com/chat/5')
    expect(() => socket.send('early')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
    await next(socket, 'open')
    // @ts-expect-error an argument is missing
    expect(() => socket.send()).toThrow(TypeError)
    for (const code of [0, 999, 1001, 2999, 5000, Number.NaN]) {
      expect(() => socket.close(code)).toThrow(expect.objectContaining({ name: 'InvalidAccessError' }))
    }
    expect(() => socket.close(1000, 'ä'.repeat(62))).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.close(1000, 'ä'.repeat(61))
    await closed
    socket.send('late')
    expect(socket.bufferedAmount).toBe(4)
    expect(events).toHaveLength(2)
  })

  test('an object is converted to a string', async () => {
    const received: unknown[] = []
    listen(
      chat.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', ({ data }) => received.push(data))
      }),
    )
    const { socket, closed } = record('wss://example.com/chat/5')
    await next(socket, 'open')
    // @ts-expect-error what JavaScript lets through
    socket.send({ a: 1 })
    // @ts-expect-error what JavaScript lets through
    socket.send(5)
    socket.send('half \ud83d')
    socket.close()
    await closed
    expect(received).toEqual(['[object Object]', '5', 'half \ufffd'])
  })

  test.each([
    ['no URL', ['wss://[']],
    ['another scheme', ['ftp://example.com/chat/5']],
    ['a fragment', ['wss://example.com/chat/5#part']],
    ['a protocol twice', ['wss://example.com/chat/5', ['a', 'a']]],
    ['an invalid protocol', ['wss://example.com/chat/5', 'no spaces']],
    ['no argument', []],
  ])('refuses %s in its own words', (_name, args) => {
    const { native } = listen(ws.link('*').addEventListener('connection', () => {}))
    const attempt = (Class: typeof WebSocket): unknown => {
      try {
        return Reflect.construct(Class, args)
      } catch (error) {
        return error
      }
    }
    expect(attempt(WebSocket)).toEqual(attempt(native))
    expect(attempt(WebSocket)).toBeInstanceOf(Error)
  })

  test('a close is an event where the platform has no CloseEvent too (Node 22)', async () => {
    vi.stubGlobal('CloseEvent', undefined)
    listen(chat.addEventListener('connection', ({ client }) => client.close(4000, 'done')))
    const { events, closed } = record('wss://example.com/chat/5')
    await closed
    vi.unstubAllGlobals()
    expect(events).toEqual(['open 1', 'close 4000 done clean'])
  })

  test('an unknown binaryType is ignored', () => {
    listen(chat.addEventListener('connection', () => {}))
    const { socket } = record('wss://example.com/chat/5')
    socket.binaryType = 'arraybuffer'
    // @ts-expect-error there is no such type
    socket.binaryType = 'text'
    expect(socket.binaryType).toBe('arraybuffer')
  })
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
    expect(events).toEqual(['open 1', 'hello', 'close 1005  clean'])
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
        /^\[understudy\] Failed to handle the connection to wss:\/\/example\.com\/chat\/5: the handler WS wss:\/\/example\.com\/chat\/:room \(.*ws\.test\.ts.*\) threw\. The connection closes with the code 1011\./,
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

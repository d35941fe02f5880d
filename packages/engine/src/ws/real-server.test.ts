import { afterEach, describe, expect, inject, test, vi } from 'vitest'

import type { UpstreamClose } from '../../../../test/upstream.ts'
import type { Handler } from '../core/handlers/request-handler.ts'
import type { UnhandledOptions } from '../core/unhandled/unhandled-request.ts'
import { intercept } from './testing/intercept.ts'
import { next, record } from './testing/record.ts'
import type { WebSocketServer } from './web-socket-server.ts'
import { ws } from './ws.ts'

const upstream = inject('upstream').replace('http', 'ws')
const link = ws.link(`${upstream}/*`)

let stop = (): void => {}
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

function listen(handlers: Handler[], options?: UnhandledOptions): ReturnType<typeof intercept> {
  const interception = intercept(handlers, options)
  ;({ stop } = interception)
  return interception
}

let lastId = 0
function createPath(kind: 'echo' | 'greet' | 'close'): string {
  lastId += 1
  return `/${kind}?id=${'document' in globalThis ? 'page' : 'node'}-${lastId}`
}

/** Returns how connections to a path ended for the server. */
async function closesOf(path: string): Promise<UpstreamClose[]> {
  const read = async (): Promise<UpstreamClose[]> => {
    const response = await fetch(`${inject('upstream')}/closes?path=${encodeURIComponent(path)}`)
    return (await response.json()) as UpstreamClose[]
  }
  return vi.waitUntil(async () => {
    const closes = await read()
    return closes.length > 0 && closes
  })
}

describe('server.connect()', () => {
  test('bufferedAmount includes messages that wait for the real server', async () => {
    const size = 8 * 1024 * 1024
    const amounts: number[] = []
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        server.connect()
        client.addEventListener('message', () => {
          // The message is forwarded after all listeners have got it.
          queueMicrotask(() => amounts.push(socket.bufferedAmount))
        })
      }),
    ])
    const { socket } = record(`${upstream}${createPath('echo')}`)
    await next(socket, 'open')
    socket.send(new Uint8Array(size))
    expect(socket.bufferedAmount).toBe(size)
    await next(socket, 'message')
    expect(amounts).toEqual([size])
    expect(socket.bufferedAmount).toBe(0)
  })

  test('messages are forwarded both ways automatically', async () => {
    const log: unknown[] = []
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        expect(server.readyState).toBe(WebSocket.CLOSED)
        server.connect()
        server.addEventListener('open', () => log.push('open'))
        client.addEventListener('message', ({ data }) => log.push(['from the app', data]))
        server.addEventListener('message', ({ data, origin }) => log.push(['from the server', data, origin]))
      }),
    ])
    const path = createPath('echo')
    const { socket, events, closed } = record(`${upstream}${path}`, ['first', 'last'])
    await next(socket, 'open')
    // The server chooses.
    expect(socket.protocol).toBe('last')
    socket.send('hello')
    await next(socket, 'message')
    socket.close(3005, 'enough')
    await closed
    expect(events).toEqual(['open 1', 'hello', 'close 3005 enough clean'])
    expect(log).toEqual(['open', ['from the app', 'hello'], ['from the server', 'hello', upstream]])
    expect(await closesOf(path)).toEqual([{ code: 3005, reason: 'enough' }])
  })

  test('preventDefault() stops a message; a handler can send to both sides', async () => {
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        server.connect()
        client.addEventListener('message', (event) => {
          if (event.data !== 'secret') return
          event.preventDefault()
          server.send('redacted')
        })
        server.addEventListener('message', (event) => {
          if (event.data !== 'redacted') return
          event.preventDefault()
          client.send('mocked')
        })
      }),
    ])
    const { socket, events } = record(`${upstream}${createPath('echo')}`)
    await next(socket, 'open')
    socket.send('secret')
    socket.send('open')
    await vi.waitFor(() => expect(events).toHaveLength(3))
    expect(events).toEqual(['open 1', 'mocked', 'open'])
    socket.close()
  })

  test('a message or a close during the handling of a message follows that message', async () => {
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        server.connect()
        server.addEventListener('message', ({ data }) => {
          client.send(`about ${data as string}`)
          if (data === 'bye') client.close(3001, 'after it')
        })
      }),
    ])
    const { socket, events, closed } = record(`${upstream}${createPath('echo')}`)
    await next(socket, 'open')
    socket.send('hello')
    socket.send('bye')
    await closed
    expect(events).toEqual(['open 1', 'hello', 'about hello', 'bye', 'about bye', 'close 3001 after it clean'])
  })

  test('bytes are forwarded both ways', async () => {
    listen([link.addEventListener('connection', ({ server }) => server.connect())])
    const buffers = record(`${upstream}${createPath('echo')}`, [], 'arraybuffer')
    await next(buffers.socket, 'open')
    buffers.socket.send(Uint8Array.of(1, 2, 3))
    buffers.socket.send(new Blob(['text']))
    await vi.waitFor(() => expect(buffers.events).toHaveLength(3))
    expect(buffers.events.slice(1)).toEqual([Uint8Array.of(1, 2, 3).buffer, new TextEncoder().encode('text').buffer])
    buffers.socket.close()
    const blobs = record(`${upstream}${createPath('echo')}`)
    await next(blobs.socket, 'open')
    blobs.socket.send(Uint8Array.of(7))
    const { data } = await next(blobs.socket, 'message')
    expect(data).toBeInstanceOf(Blob)
    expect(await (data as Blob).arrayBuffer()).toEqual(Uint8Array.of(7).buffer)
    blobs.socket.close()
  })

  test('messages that are sent before the connection to the server is open arrive', async () => {
    listen([
      link.addEventListener('connection', ({ server }) => {
        server.connect()
        server.send('early')
      }),
    ])
    const { socket } = record(`${upstream}${createPath('echo')}`)
    expect((await next(socket, 'message')).data).toBe('early')
    socket.close()
  })

  test('the first message of a server arrives after the open event', async () => {
    listen([link.addEventListener('connection', ({ server }) => server.connect())])
    const { socket, events } = record(`${upstream}${createPath('greet')}`)
    await next(socket, 'message')
    expect(events).toEqual(['open 1', 'hello from the server'])
    socket.close()
  })

  test('a handler may connect later, and the message during which it connects is not forwarded', async () => {
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        client.addEventListener('message', ({ data }) => {
          if (data === 'connect') server.connect()
        })
      }),
    ])
    const { socket, events } = record(`${upstream}${createPath('greet')}`)
    await next(socket, 'open')
    socket.send('unheard')
    socket.send('connect')
    socket.send('heard')
    await vi.waitFor(() => expect(events).toHaveLength(3))
    expect(events).toEqual(['open 1', 'hello from the server', 'heard'])
    socket.close()
  })

  test("the server's close closes the app, with its code", async () => {
    const log: unknown[] = []
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        server.connect()
        server.addEventListener('close', ({ code }) => log.push(['server', code]))
        client.addEventListener('close', ({ code }) => log.push(['client', code]))
      }),
    ])
    const { events, closed } = record(`${upstream}${createPath('close')}`)
    await closed
    expect(events).toEqual(['open 1', 'close 4001 the server is tired clean'])
    expect(log).toEqual([
      ['server', 4001],
      ['client', 4001],
    ])
  })

  test('a prevented close keeps the app connected', async () => {
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        server.connect()
        server.addEventListener('close', (event) => {
          event.preventDefault()
          client.send('I go on')
        })
      }),
    ])
    const { socket, events } = record(`${upstream}${createPath('close')}`)
    await next(socket, 'message')
    expect(events).toEqual(['open 1', 'I go on'])
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.close()
  })

  test('server.close() keeps the app connected, and dispatches one event', async () => {
    const closes: number[] = []
    let real: WebSocketServer | undefined
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        real = server
        server.connect()
        server.addEventListener('close', ({ code }) => closes.push(code))
        client.addEventListener('message', () => server.close(4002, 'not needed'))
      }),
    ])
    const path = createPath('echo')
    const { socket, events } = record(`${upstream}${path}`)
    await next(socket, 'open')
    socket.send('close')
    expect(await closesOf(path)).toEqual([{ code: 4002, reason: 'not needed' }])
    await vi.waitFor(() => expect(real?.readyState).toBe(WebSocket.CLOSED))
    expect(closes).toEqual([4002])
    expect(events.filter((event) => event !== 'close')).toEqual(['open 1'])
    socket.send('not received')
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.close()
  })

  test('client.close() ends the connection to the server too', async () => {
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        server.connect()
        server.addEventListener('open', () => client.close(4003, 'by the handler'))
      }),
    ])
    const path = createPath('echo')
    const { events, closed } = record(`${upstream}${path}`)
    await closed
    expect(events).toEqual(['open 1', 'close 4003 by the handler clean'])
    expect(await closesOf(path)).toEqual([{ code: 4003, reason: 'by the handler' }])
  })

  test('connecting twice is an error; connecting again after a close is not', async () => {
    let message = ''
    listen([
      link.addEventListener('connection', ({ server }) => {
        server.connect()
        try {
          server.connect()
        } catch (error) {
          ;({ message } = error as Error)
        }
        let count = 0
        server.addEventListener('close', (event) => {
          count += 1
          if (count > 1) return
          event.preventDefault()
          server.connect()
        })
      }),
    ])
    const path = createPath('close')
    const { events, closed } = record(`${upstream}${path}`)
    await closed
    expect(message).toBe(
      `Failed to connect to the server ${upstream}${path}: there is a connection already. Call server.connect() once. (US0608)`,
    )
    expect(events).toEqual(['open 1', 'close 4001 the server is tired clean'])
    await vi.waitFor(async () => expect(await closesOf(path)).toHaveLength(2))
  })
})

describe('a server that cannot be reached', () => {
  // No server listens on the discard port.
  const dead = 'ws://localhost:9'
  const deadLink = ws.link(`${dead}/*`)

  test('fails the app’s socket like without a handler', async () => {
    const log: unknown[] = []
    listen([
      deadLink.addEventListener('connection', ({ server }) => {
        server.connect()
        server.addEventListener('error', () => log.push('error'))
        server.addEventListener('close', ({ code }) => log.push(code))
      }),
    ])
    const { events, closed } = record(`${dead}/chat`)
    await closed
    expect(events).toEqual(['error', 'close 1006  unclean'])
    expect(log).toEqual(['error', 1006])
  })

  test('can be replaced by the handler', async () => {
    listen([
      deadLink.addEventListener('connection', ({ client, server }) => {
        server.connect()
        server.addEventListener('error', (event) => event.preventDefault())
        server.addEventListener('close', (event) => event.preventDefault())
        client.addEventListener('message', ({ data }) => client.send(data))
      }),
    ])
    const { socket, events } = record(`${dead}/chat`, ['v1'])
    await next(socket, 'open')
    expect(socket.protocol).toBe('v1')
    socket.send('offline')
    await next(socket, 'message')
    expect(events).toEqual(['open 1', 'offline'])
    socket.close()
  })

  test('does not delay client.close()', async () => {
    listen([
      deadLink.addEventListener('connection', ({ client, server }) => {
        server.connect()
        server.addEventListener('close', (event) => event.preventDefault())
        client.close(4000)
      }),
    ])
    const { events, closed } = record(`${dead}/chat`)
    await closed
    expect(events).toEqual(['open 1', 'close 4000  clean'])
  })
})

describe('an unhandled connection', () => {
  const other = ws.link('wss://example.com/other').addEventListener('connection', () => {})

  test("is an object of the platform's class", async () => {
    const { native } = listen([other])
    const { socket, events } = record(`${upstream}${createPath('greet')}`, ['first', 'last'])
    expect(Object.getPrototypeOf(socket)).toBe(native.prototype)
    expect(socket).toBeInstanceOf(WebSocket)
    await next(socket, 'message')
    expect(socket.protocol).toBe('last')
    expect(events).toEqual(['open 1', 'hello from the server'])
    socket.close()
  })

  test('keeps the class that extends WebSocket', async () => {
    listen([other])
    class Shouting extends WebSocket {
      override send(data: string): void {
        super.send(data.toUpperCase())
      }
    }
    const socket = new Shouting(`${upstream}${createPath('echo')}`)
    expect(socket).toBeInstanceOf(Shouting)
    await next(socket, 'open')
    expect(socket.readyState).toBe(1)
    socket.send('hello')
    expect((await next(socket, 'message')).data).toBe('HELLO')
    socket.close()
  })

  test.each([
    ['no handler of connections', []],
    ['no handler that matches', [other]],
  ])('is given to the policy where there is %s', async (_name, handlers) => {
    const decide = vi.fn<(request: Request) => void>()
    listen(handlers, { onUnhandledRequest: decide })
    const url = `${upstream}${createPath('greet')}`
    const { socket } = record(url)
    await next(socket, 'message')
    expect(decide).toHaveBeenCalledOnce()
    expect(decide.mock.calls[0]?.[0].url).toBe(url)
    socket.close()
  })

  test('is not examined if the policy is "bypass" and there is no WebSocket handler', async () => {
    const { native } = listen([], { onUnhandledRequest: 'bypass' })
    const { socket } = record(`${upstream}${createPath('greet')}`)
    expect(Object.getPrototypeOf(socket)).toBe(native.prototype)
    await next(socket, 'message')
    socket.close()
  })

  test('causes a warning with a suggested handler', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    listen([other], {})
    const path = createPath('greet')
    const { socket } = record(`${upstream}${path}`)
    await next(socket, 'message')
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      `[understudy] No handler takes the WebSocket connection to ${upstream}${path}. If it should be mocked, add one: ` +
        `ws.link('${upstream}/greet').addEventListener('connection', ({ client }) => client.send('…')) (US0201)`,
    )
    socket.close()
  })

  test('fails if the policy is "error"', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    listen([other], { onUnhandledRequest: 'error' })
    const path = createPath('greet')
    const { events, closed } = record(`${upstream}${path}`)
    await closed
    expect(events).toEqual(['error', 'close 1006  unclean'])
    expect(print).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`connection to ${upstream}${path}`))
  })

  test('is decided by a function', async () => {
    const seen: unknown[] = []
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    listen([other], {
      onUnhandledRequest(request, print) {
        seen.push(new URL(request.url).pathname)
        if (request.url.includes('/echo')) throw new Error('not this one')
        print.warning()
      },
    })
    const refused = record(`${upstream}${createPath('echo')}`)
    const passed = record(`${upstream}${createPath('greet')}`, ['first', 'last'], 'arraybuffer')
    await refused.closed
    await next(passed.socket, 'message')
    expect(refused.events).toEqual(['error', 'close 1006  unclean'])
    expect(passed.events).toEqual(['open 1', 'hello from the server'])
    expect(passed.socket.protocol).toBe('last')
    expect(seen).toEqual(['/echo', '/greet'])
    expect(warn).toHaveBeenCalledOnce()
    passed.socket.send(Uint8Array.of(1))
    expect((await next(passed.socket, 'message')).data).toEqual(Uint8Array.of(1).buffer)
    passed.socket.close()
  })

  test('is a frame of the protocol "ws" for onUnhandledFrame', async () => {
    const seen: unknown[] = []
    listen([other], {
      async onUnhandledFrame({ frame }) {
        await Promise.resolve()
        if (frame.protocol !== 'ws') return
        const { client, info } = frame.data.connection
        seen.push(client.url.pathname, info.protocols)
        if (info.protocols === 'refused') throw new Error('not this one')
      },
    })
    const refused = record(`${upstream}${createPath('greet')}`, 'refused')
    const passed = record(`${upstream}${createPath('close')}`)
    await Promise.all([refused.closed, passed.closed])
    expect(refused.events).toEqual(['error', 'close 1006  unclean'])
    expect(passed.events).toEqual(['open 1', 'close 4001 the server is tired clean'])
    expect(seen).toEqual(['/greet', 'refused', '/close', undefined])
  })

  test('is not opened if the app closes it during the decision', async () => {
    const { WebSocket: native } = globalThis
    let count = 0
    globalThis.WebSocket = class extends native {
      constructor(...args: ConstructorParameters<typeof native>) {
        super(...args)
        count += 1
      }
    }
    const decided = Promise.withResolvers<void>()
    listen([other], { onUnhandledRequest: () => decided.promise })
    const restore = stop
    stop = () => {
      restore()
      globalThis.WebSocket = native
    }
    const abandoned = record(`${upstream}${createPath('greet')}`)
    abandoned.socket.close()
    await abandoned.closed
    decided.resolve()
    const kept = record(`${upstream}${createPath('greet')}`)
    await next(kept.socket, 'message')
    expect(abandoned.events).toEqual(['error', 'close 1006  unclean'])
    expect(count).toBe(1)
    kept.socket.close()
  })
})

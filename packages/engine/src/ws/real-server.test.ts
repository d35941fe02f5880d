import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'

import type { UpstreamClose } from '../../../../test/upstream.ts'
import { createPath, link, listen, upstream } from './testing/real-server.ts'
import { next, record } from './testing/record.ts'
import type { WebSocketServer } from './web-socket-server.ts'

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

/** Counts the connections that the platform's class opens, until the test ends. */
function countConnections(): () => number {
  const native = globalThis.WebSocket
  let count = 0
  globalThis.WebSocket = class extends native {
    constructor(...args: ConstructorParameters<typeof native>) {
      super(...args)
      count += 1
    }
  }
  onTestFinished(() => {
    globalThis.WebSocket = native
  })
  return () => count
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

  test.each([
    ['before it is open', [], 'close 1006  unclean'],
    ['when it is open', ['open'], 'close 3000 enough clean'],
  ] as const)('does nothing for an app that closed its socket %s', async (_name, awaited, end) => {
    const connections = countConnections()
    const print = vi.spyOn(console, 'error')
    const begun = Promise.withResolvers<void>()
    const appClosed = Promise.withResolvers<void>()
    const seen = Promise.withResolvers<unknown[]>()
    listen([
      link.addEventListener('connection', async ({ server }) => {
        begun.resolve()
        await appClosed.promise
        server.connect()
        server.connect()
        server.send('not sent')
        const { socket, readyState } = server
        server.close()
        seen.resolve([readyState, socket.readyState, socket instanceof WebSocket, socket.url])
      }),
    ])
    const url = `${upstream}${createPath('echo')}`
    const { socket, events, closed } = record(url)
    await begun.promise
    for (const type of awaited) await next(socket, type)
    socket.close(3000, 'enough')
    await closed
    expect(events.at(-1)).toBe(end)
    appClosed.resolve()
    expect(await seen.promise).toEqual([3, 3, true, url])
    expect(connections()).toBe(0)
    expect(print).not.toHaveBeenCalled()
  })

  test('does nothing while the app closes its socket, and after client.close()', async () => {
    const connections = countConnections()
    const states: number[] = []
    listen([
      link.addEventListener('connection', ({ client, server }) => {
        client.addEventListener('message', ({ data }) => {
          if (data === 'close') client.close(4000, 'no')
          server.connect()
          states.push(server.readyState)
        })
      }),
    ])
    const refused = record(`${upstream}${createPath('echo')}`)
    await next(refused.socket, 'open')
    refused.socket.send('close')
    const closing = record(`${upstream}${createPath('echo')}`)
    await next(closing.socket, 'open')
    closing.socket.send('hello')
    closing.socket.close()
    await Promise.all([refused.closed, closing.closed])
    expect(refused.events).toEqual(['open 1', 'close 4000 no clean'])
    expect(closing.events).toEqual(['open 1', 'close 1000  clean'])
    expect(states).toEqual([3, 3])
    expect(connections()).toBe(0)
  })

  test('a handler that always connects again does not do so for an app that closed its socket', async () => {
    const connections = countConnections()
    const closes: number[] = []
    listen([
      link.addEventListener('connection', ({ server }) => {
        server.connect()
        server.addEventListener('close', (event) => {
          closes.push(event.code)
          event.preventDefault()
          server.connect()
        })
      }),
    ])
    const path = createPath('echo')
    const { socket, closed } = record(`${upstream}${path}`)
    await next(socket, 'open')
    socket.close(3001)
    await closed
    await vi.waitFor(() => expect(closes).toEqual([3001]))
    expect(connections()).toBe(1)
    expect(await closesOf(path)).toEqual([{ code: 3001, reason: '' }])
  })
})

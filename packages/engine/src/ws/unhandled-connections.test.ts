import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { createPath, listen, upstream } from './testing/real-server.ts'
import { next, record } from './testing/record.ts'
import { ws } from './ws.ts'

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
      `[understudy] No handler matches the WebSocket connection to ${upstream}${path}. If it should be mocked, add one: ` +
        `ws.link('${upstream}/greet').addEventListener('connection', ({ client }) => client.send('…')) (US0201)`,
    )
    socket.close()
  })

  // A page's `location` cannot be replaced.
  test.skipIf('document' in globalThis)(
    'causes a warning with a handler of the whole URL if the path would begin with a host',
    async () => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
      listen([other], {})
      vi.stubGlobal('location', new URL(upstream.replace('ws', 'http')))
      onTestFinished(() => {
        vi.unstubAllGlobals()
      })
      const { socket } = record(`${upstream}/${createPath('greet')}`)
      await expect.poll(() => warn.mock.calls.join()).toContain(`ws.link('${upstream}//greet')`)
      socket.close()
    },
  )

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
    onTestFinished(() => {
      globalThis.WebSocket = native
    })
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

describe('a URL with a user name', () => {
  const url = 'ws://ada:secret@localhost:9/'

  test.each(['bypass', 'warn'] as const)('is opened with the strategy "%s"', async (onUnhandledRequest) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    listen([], { onUnhandledRequest })
    // Node 22 does not dispatch "close" for a connection that failed.
    await next(record(url).socket, 'error')
    expect(warn).toHaveBeenCalledTimes(onUnhandledRequest === 'warn' ? 1 : 0)
  })

  test('gets a request without the user name in a callback', async () => {
    const callback = vi.fn<(request: Request) => void>()
    listen([], { onUnhandledRequest: callback })
    await record(url).closed
    expect(callback.mock.calls[0]?.[0].url).toBe('ws://localhost:9/')
  })
})

import { execFileSync } from 'node:child_process'

import { afterEach, describe, expect, inject, test, vi } from 'vitest'

import type { Handler } from '../core/handlers/request-handler.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { setupServer, type ListenOptions, type Server } from '../node/setup-server.ts'
import { next, record } from './testing/record.ts'
import { ws } from './ws.ts'

const upstream = inject('upstream').replace('http', 'ws')
const native = WebSocket

let server: Server | undefined
afterEach(() => {
  server?.close()
  vi.restoreAllMocks()
})

function listen(handlers: Handler[], options: ListenOptions = { onUnhandledRequest: 'error' }): Server {
  server = setupServer(...handlers)
  server.listen(options)
  return server
}

const greet = (text: string): Handler =>
  ws.link('wss://example.com/chat').addEventListener('connection', ({ client }) => client.send(text))

async function greeting(url = 'wss://example.com/chat'): Promise<unknown> {
  const { socket } = record(url)
  const { data } = await next(socket, 'message')
  socket.close()
  return data
}

test('a server handles connections if the global is a getter, as in Deno', async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket') as PropertyDescriptor
  const getter: PropertyDescriptor = { configurable: true, enumerable: false, get: () => native, set: () => {} }
  Object.defineProperty(globalThis, 'WebSocket', getter)
  try {
    listen([greet('mocked')])
    expect(await greeting()).toBe('mocked')
    server?.close()
    expect(Object.getOwnPropertyDescriptor(globalThis, 'WebSocket')).toEqual(getter)
  } finally {
    Object.defineProperty(globalThis, 'WebSocket', own)
  }
})

test('a server handles connections from listen() to close()', async () => {
  const link = ws.link(`${upstream}/greet`)
  expect(WebSocket).toBe(native)
  const { close } = listen([link.addEventListener('connection', ({ client }) => client.send('mocked'))])
  // Libraries may store the class when they are loaded. It still works after close().
  const Taken = WebSocket
  expect(await greeting(`${upstream}/greet`)).toBe('mocked')
  close()
  expect(WebSocket).toBe(native)
  const socket = new Taken(`${upstream}/greet`)
  expect((await next(socket, 'message')).data).toBe('hello from the server')
  expect(Object.getPrototypeOf(socket)).toBe(native.prototype)
  socket.close()
})

test('use, resetHandlers and listHandlers support handlers of connections', async () => {
  const initial = greet('initial')
  const runtime = greet('runtime')
  const { use, resetHandlers, listHandlers } = listen([initial])
  expect(await greeting()).toBe('initial')
  use(runtime)
  expect(listHandlers()).toEqual([runtime, initial])
  expect(await greeting()).toBe('runtime')
  resetHandlers()
  expect(await greeting()).toBe('initial')
  resetHandlers(greet('replaced'))
  expect(await greeting()).toBe('replaced')
})

test('handlers of a boundary stay inside', async () => {
  const { boundary, use } = listen([greet('outside')])
  const inside = boundary(async () => {
    use(greet('inside'))
    return greeting()
  })
  expect(await Promise.all([inside(), greeting()])).toEqual(['inside', 'outside'])
})

describe('a handshake with a real server', () => {
  test('does not reach HTTP handlers', async () => {
    const answered = vi.fn<() => Response>(() => HttpResponse.text('http'))
    const starts = vi.fn<() => void>()
    const { events } = listen([greet('hello'), http.all('*', answered)], { onUnhandledRequest: 'bypass' })
    events.on('request:start', starts)
    expect(await greeting(`${upstream}/greet`)).toBe('hello from the server')
    expect(answered).not.toHaveBeenCalled()
    expect(starts).not.toHaveBeenCalled()
  })
})

test('handlers and sockets keep no process alive', () => {
  const script = `
    import { setupServer } from '@understudy/engine/node'
    import { ws } from '@understudy/engine'
    const server = setupServer(
      ws.link('wss://example.com').addEventListener('connection', ({ client }) => client.send('hello')),
    )
    server.listen()
    new WebSocket('wss://example.com').onmessage = ({ data }) => console.log(data)
  `
  const args = ['--conditions=@understudy/source', '--input-type=module', '--eval', script]
  expect(execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8', timeout: 20_000 })).toBe(
    'hello\n',
  )
})

describe('the clients of a link', () => {
  const open = async (url: string): Promise<WebSocket> => {
    const { socket } = record(url)
    await next(socket, 'open')
    return socket
  }

  test('of two servers lose those of the server that closes', async () => {
    const link = ws.link('wss://example.com/*')
    const handler = link.addEventListener('connection', () => {})
    const { close } = listen([handler])
    const other = setupServer(handler)
    const first = await open('wss://example.com/first')
    other.listen({ onUnhandledRequest: 'error' })
    const second = await open('wss://example.com/second')
    expect([...link.clients].map(({ socket }) => socket)).toEqual([first, second])
    other.close()
    expect([...link.clients].map(({ socket }) => socket)).toEqual([first])
    close()
    expect(link.clients.size).toBe(0)
  })

  test('lose a closed client although an earlier handler stops the propagation of its event', async () => {
    const stopping = ws.link('wss://example.com/chat')
    const link = ws.link('wss://example.com/*')
    listen([
      stopping.addEventListener('connection', ({ client }) => {
        client.addEventListener('close', (event) => event.stopImmediatePropagation())
      }),
      link.addEventListener('connection', () => {}),
    ])
    const socket = await open('wss://example.com/chat')
    expect(link.clients.size).toBe(1)
    socket.close()
    await next(socket, 'close')
    expect(link.clients.size).toBe(0)
  })

  test('are those of earlier initial handlers with the same URL, and not those of other handlers', async () => {
    const create = (url = 'wss://example.com/chat'): ReturnType<typeof ws.link> => ws.link(url)
    const { use, resetHandlers, close } = listen([], { onUnhandledRequest: 'error' })
    const [initial, runtime, replaced, elsewhere, unused] = [
      create(),
      create(),
      create(),
      create('wss://*/chat'),
      create(),
    ]
    const handlerOf = (link: ReturnType<typeof ws.link>): Handler => link.addEventListener('connection', () => {})
    resetHandlers(handlerOf(initial))
    const first = await open('wss://example.com/chat')
    resetHandlers()
    use(handlerOf(runtime))
    expect(runtime.clients.size).toBe(0)
    resetHandlers(handlerOf(replaced), handlerOf(elsewhere))
    const sizes = (): number[] => [initial, runtime, replaced, elsewhere, unused].map(({ clients }) => clients.size)
    expect(sizes()).toEqual([1, 0, 1, 0, 0])
    await open('wss://example.com/chat')
    expect(sizes()).toEqual([2, 0, 2, 1, 0])
    const heard = next(first, 'message')
    replaced.broadcast('hello')
    expect(await heard).toMatchObject({ data: 'hello' })
    first.close()
    await next(first, 'close')
    expect(sizes()).toEqual([1, 0, 1, 1, 0])
    close()
    expect(sizes()).toEqual([0, 0, 0, 0, 0])
  })
})

test('a link that is passed instead of its handler is an error that names the link', () => {
  const link = ws.link('wss://example.com/chat')
  expect(() => setupServer(link as never)).toThrow(
    'Failed to set up a server: argument 1 is a link of WebSocket connections. ' +
      "Pass what its addEventListener('connection', …) returns.",
  )
})

import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'

import { next, record } from '../../ws/testing/record.ts'
import { ws } from '../../ws/ws.ts'
import { getGate, getPageState, type PageScope } from '../gate/gate.ts'
import { installGate } from '../gate/install-gate.ts'
import { setupWorker, type SetupWorker } from '../start/setup-worker.ts'
import type { StartOptions } from '../start/start-options.ts'

const upstream = inject('upstream').replace('http', 'ws')
const native = WebSocket

let worker: SetupWorker | undefined
afterEach(() => {
  worker?.stop()
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

const quiet: StartOptions = { quiet: true, onUnhandledRequest: 'bypass' }
const link = ws.link(`${upstream}/*`)
const greet = (text: string) => link.addEventListener('connection', ({ client }) => client.send(text))

async function greeting(): Promise<unknown> {
  const { socket } = record(`${upstream}/greet`)
  const { data } = await next(socket, 'message')
  socket.close()
  return data
}

test('a socket that was created while the gate was closed reaches the handlers', async () => {
  installGate(globalThis as PageScope)
  const Taken = WebSocket
  const held = record(`${upstream}/greet`, ['v1'], 'arraybuffer')
  held.socket.onopen = () => held.socket.send('hello')
  const received: unknown[] = []
  worker = setupWorker(
    link.addEventListener('connection', ({ client, info }) => {
      received.push(info.protocols)
      client.addEventListener('message', ({ data }) => {
        received.push(data)
        client.send(Uint8Array.of(1))
        client.close(4000, 'done')
      })
    }),
  )
  expect(held.socket.readyState).toBe(WebSocket.CONNECTING)
  await worker.start(quiet)
  await held.closed
  expect(held.events).toEqual(['open 1', Uint8Array.of(1).buffer, 'close 4000 done clean'])
  expect(held.socket.protocol).toBe('v1')
  expect(received).toEqual([['v1'], 'hello'])
  expect(held.socket).toBeInstanceOf(WebSocket)
  // A class that the app stored meanwhile uses the handlers too.
  const socket = new Taken(`${upstream}/greet`)
  await next(socket, 'open')
  socket.send('x')
  expect((await next(socket, 'close')).code).toBe(4000)
})

test('sockets are mocked from start() to stop(), with added and removed handlers', async () => {
  worker = setupWorker()
  await worker.start(quiet)
  expect(await greeting()).toBe('hello from the server')
  worker.use(greet('mocked'))
  // Immediately, although the service worker does not have the table yet.
  expect(await greeting()).toBe('mocked')
  worker.resetHandlers()
  expect(await greeting()).toBe('hello from the server')
  worker.use(greet('mocked'))
  const Taken = WebSocket
  worker.stop()
  expect(WebSocket).toBe(native)
  const socket = new Taken(`${upstream}/greet`)
  expect((await next(socket, 'message')).data).toBe('hello from the server')
  socket.close()
})

test('sockets are mocked without a service worker', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {})
  Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
  worker = setupWorker(greet('mocked'))
  await worker.start(quiet)
  expect(await greeting()).toBe('mocked')
  worker.stop()
  expect(WebSocket).toBe(native)
})

test.each([
  ['by its subprotocol', `${upstream}/greet`, 'vite-hmr'],
  ['by its subprotocol, among others', `${upstream}/greet`, ['vite-ping']],
  ['by its path', `${upstream}/_next/webpack-hmr`, undefined],
  ['by its path', `${upstream}/storybook-server-channel?token=1`, undefined],
  ['by a path that a plugin names', `${upstream}/dev-socket/1`, undefined],
])('a dev server’s connection is never touched: %s', async (_name, url, protocols) => {
  Object.assign(getPageState(), { neverHeld: ['/dev-socket'] })
  worker = setupWorker(ws.link('*').addEventListener('connection', ({ client }) => client.close(4000)))
  const decide = vi.fn<() => void>()
  await worker.start({ quiet: true, onUnhandledRequest: decide })
  const { socket } = record(url, protocols)
  await next(socket, 'open')
  expect(Object.getPrototypeOf(socket)).toBe(native.prototype)
  expect(decide).not.toHaveBeenCalled()
  socket.close()
})

describe.each([
  ['a service worker', (): void => {}],
  [
    'no service worker',
    (): void => void Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true }),
  ],
])('a connection without any handler of connections, in a page with %s', (_name, prepare) => {
  beforeEach(() => {
    vi.spyOn(console, 'info').mockImplementation(() => {})
    prepare()
    worker = setupWorker()
  })

  test('fails where the policy is "error"', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    await worker?.start({ quiet: true, onUnhandledRequest: 'error' })
    const { events, closed } = record(`${upstream}/greet`)
    await closed
    expect(events).toEqual(['error', 'close 1006  unclean'])
    expect(print).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`connection to ${upstream}/greet`))
  })

  test('causes a warning with a suggested handler', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await worker?.start({ quiet: true })
    expect(await greeting()).toBe('hello from the server')
    await vi.waitFor(() =>
      expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`ws.link('${upstream}/greet')`)),
    )
  })

  test('is passed to a policy function', async () => {
    const seen: string[] = []
    await worker?.start({
      quiet: true,
      onUnhandledRequest({ url }) {
        if (!url.startsWith('ws')) return
        seen.push(url)
        if (url.endsWith('?refused')) throw new Error('not this one')
      },
    })
    const refused = record(`${upstream}/greet?refused`)
    await refused.closed
    expect(refused.events).toEqual(['error', 'close 1006  unclean'])
    expect(await greeting()).toBe('hello from the server')
    expect(seen).toEqual([`${upstream}/greet?refused`, `${upstream}/greet`])
  })
})

test.each([
  ['by its subprotocol', `${upstream}/greet`, 'vite-hmr'],
  ['by its path', `${upstream}/rsbuild-hmr?token=1`, undefined],
])('a dev server’s connection is neither blocked nor reported: %s', async (_name, url, protocols) => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  worker = setupWorker()
  await worker.start({ quiet: true, onUnhandledRequest: 'error' })
  const { socket } = record(url, protocols)
  await next(socket, 'open')
  expect(print).not.toHaveBeenCalled()
  socket.close()
})

test('sockets stay with their handlers while new handlers hold the gate', async () => {
  worker = setupWorker(greet('mocked'))
  await worker.start(quiet)
  const { http } = await import('../../http/http.ts')
  worker.use(http.get('/another', () => new Response('x')))
  expect(getGate()?.state).toBe('held')
  expect(await greeting()).toBe('mocked')
  await vi.waitFor(() => expect(getGate()?.state).toBe('open'))
  expect(await greeting()).toBe('mocked')
})

test('the console shows the messages of a mocked socket, unless `quiet` is set', async () => {
  const group = vi.spyOn(console, 'groupCollapsed').mockImplementation(() => {})
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})
  const handler = ws.link('/chat').addEventListener('connection', ({ client }) => {
    client.send('x'.repeat(100))
    client.addEventListener('message', () => client.close(4000, 'done'))
  })
  const converse = async (): Promise<void> => {
    const { socket, closed } = record('/chat')
    await next(socket, 'message')
    socket.send(Uint8Array.of(1, 2))
    await closed
  }
  worker = setupWorker(handler)
  await worker.start({ onUnhandledRequest: 'bypass' })
  await converse()
  expect(group.mock.calls.map(([text]) => text as string)).toEqual([
    '[understudy] WS /chat %c▶%c open',
    `[understudy] WS /chat %c⬇%c ${'x'.repeat(60)}…`,
    '[understudy] WS /chat %c⬆%c 2 bytes',
    '[understudy] WS /chat %c■%c 4000 done',
  ])
  worker.stop()
  group.mockClear()
  await worker.start(quiet)
  await converse()
  expect(group).not.toHaveBeenCalled()
})

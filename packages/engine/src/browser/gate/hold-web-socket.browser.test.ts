import { beforeEach, expect, onTestFinished, test } from 'vitest'

import { useGatedFrames } from './testing/frames.ts'

const page = useGatedFrames()

function until<Type extends Event>(target: EventTarget, type: string): Promise<Type> {
  return new Promise((resolve) => target.addEventListener(type, resolve as (event: Event) => void, { once: true }))
}

const sockets: EchoSocket[] = []

/** A replacement that returns each message. */
class EchoSocket extends EventTarget {
  readonly url: string
  readonly protocols: unknown
  readonly extensions = 'none'
  readonly protocol = 'echo'
  binaryType: BinaryType = 'blob'
  bufferedAmount = 0
  readyState = 0
  constructor(url: string | URL, protocols?: unknown) {
    super()
    this.url = String(url)
    this.protocols = protocols
    sockets.push(this)
  }
  open(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  send(data: unknown): void {
    this.bufferedAmount += 1
    this.dispatchEvent(new MessageEvent('message', { data, origin: 'ws://echo' }))
  }
  close(code?: number, reason?: string): void {
    this.readyState = 3
    this.dispatchEvent(new CloseEvent('close', { code: code ?? 1005, reason: reason ?? '', wasClean: true }))
  }
}

const replacements = { WebSocket: EchoSocket as unknown as typeof WebSocket }

beforeEach(() => {
  sockets.length = 0
})

test('is connecting while it is held', async () => {
  const socket = new page.scope.WebSocket(page.server.socketUrl('chat'), ['one', 'two'])
  await page.server.settle()

  expect(socket).toBeInstanceOf(page.scope.WebSocket)
  expect(socket).toBeInstanceOf(page.gate.natives.WebSocket)
  expect(Object.prototype.toString.call(socket)).toBe('[object WebSocket]')
  expect(Object.keys(socket)).toEqual([])
  expect(socket).toMatchObject({
    url: page.server.socketUrl('chat'),
    readyState: 0,
    bufferedAmount: 0,
    protocol: '',
    extensions: '',
    binaryType: 'blob',
    CLOSED: 3,
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
  })
  expect(page.scope.WebSocket.OPEN).toBe(1)
  expect(() => socket.send('early')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
  expect(() => Reflect.apply(socket.send, socket, [])).toThrow(page.scope.TypeError)
  expect(page.gate.held).toBe(1)
  expect(page.server.sockets).toEqual([])
})

test('connects once the gate is opened, and fails as the platform does', async () => {
  const url = page.server.socketUrl('chat')
  const socket = new page.scope.WebSocket(url, 'one')
  const events: unknown[] = []
  for (const type of ['open', 'error', 'close']) {
    socket.addEventListener(type, function (this: unknown, event) {
      expect(this).toBe(socket)
      expect(event.target).toBe(socket)
      expect(event).toBeInstanceOf(type === 'close' ? page.scope.CloseEvent : page.scope.Event)
      events.push(type)
    })
  }
  const closed = until<CloseEvent>(socket, 'close')
  page.gate.open()
  expect(socket.readyState).toBe(0)
  const { code, wasClean } = await closed

  // No server listens at that port.
  expect([code, wasClean]).toEqual([1006, false])
  expect(events).toEqual(['error', 'close'])
  expect(socket.readyState).toBe(3)
  await expect.poll(() => page.server.sockets).toEqual(['chat'])
})

test('closes the platform’s connection', async () => {
  const socket = new page.scope.WebSocket(page.server.socketUrl('chat'))
  page.gate.open()
  socket.close()
  expect(socket.readyState).toBe(2)
  await until(socket, 'close')
  expect(socket.readyState).toBe(3)
})

test('if it is closed while held, it ends like the platform’s and never connects', async () => {
  /** Returns the events after `close()`. */
  async function close(socket: WebSocket): Promise<unknown[]> {
    const events: unknown[] = []
    socket.onerror = () => events.push(['error', socket.readyState])
    socket.onclose = ({ code, reason, wasClean }) => events.push([code, reason, wasClean, socket.readyState])
    const closed = until(socket, 'close')
    socket.close(3000, 'left')
    events.push(socket.readyState)
    socket.close()
    await closed
    // An event that is dispatched twice would have arrived by now.
    await new Promise((resolve) => setTimeout(resolve))
    return [...events, socket.readyState]
  }
  const native = await close(new (page.gate.natives.WebSocket as typeof WebSocket)(page.server.socketUrl('native')))
  const held = await close(new page.scope.WebSocket(page.server.socketUrl('held')))

  expect(held).toEqual(native)
  expect(page.gate.held).toBe(0)
  page.gate.open()
  await page.server.settle()
  expect(page.server.sockets).not.toContain('held')
})

test('after it was closed while held, messages are dropped', () => {
  const socket = new page.scope.WebSocket(page.server.socketUrl('chat'))
  socket.close()

  expect(() => socket.send('late')).not.toThrow()
})

test.for([
  ['http://[', undefined],
  ['ftp://localhost', undefined],
  ['ws://localhost:1/#part', undefined],
  ['ws://localhost:1/#', undefined],
  ['ws://localhost:1', ''],
  ['ws://localhost:1', 'no token'],
  ['ws://localhost:1', ['same', 'same']],
] as [string, string | string[] | undefined][])('throws at once what the platform throws: %j', ([url, protocols]) => {
  const create = (constructor: typeof WebSocket) => () => new constructor(url, protocols)

  expect(create(page.scope.WebSocket)).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
  expect(create(page.gate.natives.WebSocket as typeof WebSocket)).toThrow(
    expect.objectContaining({ name: 'SyntaxError' }),
  )
  expect(page.gate.held).toBe(0)
})

test('throws immediately for missing arguments, and for invalid arguments of close()', () => {
  expect(() => Reflect.construct(page.scope.WebSocket, [])).toThrow(page.scope.TypeError)
  expect(() => Reflect.apply(page.scope.WebSocket, undefined, ['ws://localhost:1'])).toThrow(page.scope.TypeError)
  const socket = new page.scope.WebSocket(page.server.socketUrl('chat'))
  for (const code of [1001, 5000, NaN, 'text', null]) {
    expect(() => socket.close(code as number)).toThrow(expect.objectContaining({ name: 'InvalidAccessError' }))
  }
  expect(() => socket.close(3000, 'ü'.repeat(62))).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
  expect(socket.readyState).toBe(0)
  expect(page.gate.held).toBe(1)
})

test.for([
  [undefined, []],
  ['one', ['one']],
  [null, ['null']],
  [new Set(['one', 'two']), ['one', 'two']],
] as const)('reads protocols as the platform does: %o', ([protocols, read]) => {
  Reflect.construct(page.scope.WebSocket, [page.server.socketUrl('chat'), protocols])
  page.gate.open(replacements)

  expect(sockets[0]?.protocols).toEqual(read)
})

test('reads http: as ws:, and URLs relative to the page', () => {
  const { origin, href } = page.scope.location
  const socket = new page.scope.WebSocket('chat')

  expect(socket.url).toBe(new URL('chat', href.replace('http', 'ws')).href)
  expect(new page.scope.WebSocket(origin.replace('http:', 'https:')).url).toMatch(/^wss:/)
  expect(page.gate.held).toBe(2)
})

test('the connection of a replacement is used, with every setting', () => {
  const socket = new page.scope.WebSocket(page.server.socketUrl('chat'), ['one', 'two'])
  socket.binaryType = 'arraybuffer'
  ;(socket as { binaryType: string }).binaryType = 'nonsense'
  expect(socket.binaryType).toBe('arraybuffer')
  const events: unknown[] = []
  socket.onopen = (event) => events.push(event.type)
  socket.onmessage = function ({ data, origin, target }) {
    expect(this).toBe(socket)
    expect(target).toBe(socket)
    events.push([data, origin])
  }
  socket.addEventListener('close', ({ code, reason, wasClean }) => events.push([code, reason, wasClean]))
  page.gate.open(replacements)
  const [connection] = sockets
  connection?.open()
  const data = new ArrayBuffer(2)
  socket.send(data)

  expect(connection).toMatchObject({
    url: page.server.socketUrl('chat'),
    protocols: ['one', 'two'],
    binaryType: 'arraybuffer',
  })
  expect(socket).toMatchObject({ readyState: 1, protocol: 'echo', extensions: 'none', bufferedAmount: 1 })
  expect(events).toEqual(['open', [data, 'ws://echo']])
  expect((events[1] as unknown[])[0]).toBe(data)

  socket.close(3000, 'left')
  expect(events.at(-1)).toEqual([3000, 'left', true])
  expect(socket.readyState).toBe(3)
})

test('a replacement gets objects of a class that was stored before', () => {
  const Captured = page.scope.WebSocket
  page.gate.open(replacements)
  expect(page.scope.WebSocket).toBe(EchoSocket)
  const socket = new Captured(page.server.socketUrl('chat'), 'one')
  const data: unknown[] = []
  socket.onmessage = (event) => data.push(event.data)
  socket.send('echo')

  expect(socket).toBeInstanceOf(Captured)
  expect(sockets).toHaveLength(1)
  expect(data).toEqual(['echo'])
})

test('closes with an error if the connection is refused after the hold', async () => {
  const socket = new page.scope.WebSocket(page.server.socketUrl('chat'))
  const events: unknown[] = []
  socket.onerror = () => events.push('error')
  socket.onclose = ({ code }) => events.push(code)
  const failure = new Error('refused')
  const reported = new Promise((resolve) => {
    page.scope.addEventListener('error', (event) => {
      event.preventDefault()
      resolve(event.error)
    })
  })
  page.gate.open({
    WebSocket: class {
      constructor() {
        throw failure
      }
    } as unknown as typeof WebSocket,
  })

  expect(await reported).toBe(failure)
  expect(events).toEqual(['error', 1006])
  expect(socket.readyState).toBe(3)
})

test('may be extended', () => {
  class Own extends page.scope.WebSocket {
    sent: unknown[] = []
    override send(data: string): void {
      this.sent.push(data)
      super.send(data)
    }
  }
  const socket = new Own(page.server.socketUrl('chat'))
  expect(socket).toBeInstanceOf(Own)
  expect(() => socket.send('early')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
  const data: unknown[] = []
  socket.onmessage = (event) => data.push(event.data)
  page.gate.open(replacements)
  socket.send('echo')

  expect(socket.sent).toEqual(['early', 'echo'])
  expect(data).toEqual(['echo'])
})

test('methods that libraries set on the prototype get each call', () => {
  const { prototype } = page.scope.WebSocket
  const send = Object.getOwnPropertyDescriptor(prototype, 'send')?.value as (data: string) => void
  const calls: unknown[] = []
  const theirs = function (this: WebSocket, data: string): void {
    calls.push([this, data])
    Reflect.apply(send, this, [data])
  }
  Object.defineProperty(prototype, 'send', { value: theirs })
  const socket = new page.scope.WebSocket(page.server.socketUrl('chat'))
  page.gate.open(replacements)
  socket.send('echo')

  expect(calls).toEqual([[socket, 'echo']])
  expect(Reflect.get(prototype, 'send')).toBe(theirs)
})

test('later objects are native, next to one that was held', async () => {
  const held = new page.scope.WebSocket(page.server.socketUrl('held'))
  page.gate.open()
  const socket = new page.scope.WebSocket(page.server.socketUrl('native'))
  onTestFinished(() => held.close())
  socket.binaryType = 'arraybuffer'
  const closed = new Promise<CloseEvent>((resolve) => {
    socket.onclose = resolve
  })
  expect(() => socket.send('early')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
  socket.close()

  expect((await closed).isTrusted).toBe(true)
  expect(socket.binaryType).toBe('arraybuffer')
})

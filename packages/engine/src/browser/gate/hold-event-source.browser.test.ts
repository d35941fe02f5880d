import { expect, onTestFinished, test } from 'vitest'

import { useGatedFrames } from './testing/frames.ts'

const page = useGatedFrames()

function connect(url: string, init?: EventSourceInit, EventSource = page.scope.EventSource): EventSource {
  const source = new EventSource(url, init)
  onTestFinished(() => source.close())
  return source
}

function until(source: EventSource, type: string): Promise<MessageEvent<unknown>> {
  return new Promise((resolve) => source.addEventListener(type, resolve as (event: Event) => void, { once: true }))
}

test('is connecting while it is held', async () => {
  const source = connect('stream', { withCredentials: true })
  await page.server.settle()

  expect(source).toBeInstanceOf(page.scope.EventSource)
  expect(source).toBeInstanceOf(page.gate.natives.EventSource)
  expect(source).toBeInstanceOf(page.scope.EventTarget)
  expect(Object.prototype.toString.call(source)).toBe('[object EventSource]')
  expect(Object.keys(source)).toEqual([])
  expect(source).toMatchObject({
    url: `${page.scope.location.href}stream`,
    withCredentials: true,
    readyState: 0,
    OPEN: 1,
    onopen: null,
    onmessage: null,
    onerror: null,
  })
  expect(page.scope.EventSource.CLOSED).toBe(2)
  expect(() => {
    Reflect.set(source, 'readyState', 2)
  }).not.toThrow()
  expect(source.readyState).toBe(0)
  expect(page.gate.held).toBe(1)
  expect(page.server.lines).toEqual([])
})

test('connects once the gate is opened, and dispatches all events', async () => {
  const source = connect('stream')
  const events: unknown[] = []
  const note = function (this: unknown, event: Event): void {
    const { type, target, data, lastEventId, origin } = event as MessageEvent<unknown>
    expect(this).toBe(source)
    expect(target).toBe(source)
    events.push(type === 'open' ? type : { type, data, lastEventId, origin })
  }
  source.onopen = note
  source.onmessage = note
  // The same function as a handler and as a listener is called twice.
  source.addEventListener('message', note)
  source.addEventListener('news', note)
  expect(source.onmessage).toBe(note)
  page.gate.open()
  const late = until(source, 'news')
  await late

  const origin = page.scope.location.origin
  const hello = { type: 'message', data: 'hello', lastEventId: '7', origin }
  expect(events).toEqual(['open', hello, hello, { type: 'news', data: 'late', lastEventId: '7', origin }])
  expect(page.server.lines).toEqual(['GET stream'])
})

test('gets events whose listeners are added after it has connected', async () => {
  const source = connect('stream')
  const opened = until(source, 'open')
  page.gate.open()
  const late = until(source, 'news')
  await opened

  expect((await late).data).toBe('late')
})

test('listeners and handlers can be removed', async () => {
  const source = connect('stream')
  const calls: string[] = []
  const listener = (): void => {
    calls.push('listener')
  }
  source.addEventListener('message', listener)
  source.onmessage = () => calls.push('handler')
  source.removeEventListener('message', listener)
  source.onmessage = null
  expect(source.onmessage).toBeNull()
  const late = until(source, 'news')
  page.gate.open()
  await late

  expect(calls).toEqual([])
})

test('only the last handler is called, once', async () => {
  const source = connect('stream')
  const calls: string[] = []
  for (const name of ['first', 'second', 'third']) source.onmessage = () => calls.push(name)
  const late = until(source, 'news')
  page.gate.open()
  await late

  expect(calls).toEqual(['third'])
})

test('shows the connection’s state, and closes it', async () => {
  const source = connect('stream')
  const opened = until(source, 'open')
  page.gate.open()
  await opened
  expect(source.readyState).toBe(1)
  source.close()
  expect(source.readyState).toBe(2)
})

test('fails as the platform does', async () => {
  const source = connect('missing')
  const failed = until(source, 'error')
  page.gate.open()
  await failed

  // Answered with 404.
  expect(page.server.lines).toEqual(['GET missing'])
  expect(source.readyState).toBe(2)
})

test('if it is closed while held, it never connects', async () => {
  const source = connect('stream')
  source.close()
  expect(source.readyState).toBe(2)
  expect(page.gate.held).toBe(0)
  page.gate.open()
  await page.server.settle()

  expect(page.server.lines).toEqual([])
  expect(source.readyState).toBe(2)
})

test('throws the platform’s errors immediately', () => {
  expect(() => connect('http://[')).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
  expect(() => Reflect.construct(page.scope.EventSource, [])).toThrow(page.scope.TypeError)
  expect(() => Reflect.apply(page.scope.EventSource, undefined, ['stream'])).toThrow(page.scope.TypeError)
  expect(page.gate.held).toBe(0)
})

test('resolves the URL at the time of the call', async () => {
  const base = page.scope.document.createElement('base')
  base.href = 'before/'
  page.scope.document.head.append(base)
  connect('stream')
  base.href = 'after/'
  page.gate.open()

  await expect.poll(() => page.server.lines).toEqual(['GET before/stream'])
})

test('may be extended', async () => {
  class Own extends page.scope.EventSource {
    closed = 0
    override close(): void {
      this.closed += 1
      super.close()
    }
    get path(): string {
      return new URL(this.url).pathname
    }
  }
  const source = new Own('stream')
  expect(source).toBeInstanceOf(Own)
  expect(source.path).toBe(`${page.scope.location.pathname}stream`)
  const opened = until(source, 'open')
  page.gate.open()
  await opened
  source.close()

  expect(source.closed).toBe(1)
  expect(source.readyState).toBe(2)
})

test('a class that was stored while it was held creates native objects', () => {
  const Captured = page.scope.EventSource
  page.gate.open()
  const source = connect('stream', undefined, Captured)

  expect(page.scope.EventSource).toBe(page.gate.natives.EventSource)
  const readUrl = Object.getOwnPropertyDescriptor(page.scope.EventSource.prototype, 'url')?.get
  expect(readUrl?.call(source)).toBe(`${page.scope.location.href}stream`)
})

test('later objects are native, next to one that was held', async () => {
  connect('stream')
  page.gate.open()
  const source = connect('stream')
  const received = until(source, 'message')
  source.onmessage = function (event) {
    expect(this).toBe(source)
    expect(event.isTrusted).toBe(true)
  }

  expect((await received).data).toBe('hello')
})

test('the connection of a replacement is used', () => {
  const Captured = page.scope.EventSource
  const made: Replacement[] = []
  class Replacement extends EventTarget {
    url: string
    withCredentials: boolean
    readyState = 0
    constructor(url: string | URL, init?: EventSourceInit) {
      super()
      this.url = String(url)
      this.withCredentials = init?.withCredentials ?? false
      made.push(this)
    }
    close(): void {
      this.readyState = 2
    }
  }
  const held = connect('held', { withCredentials: true })
  const data: unknown[] = []
  held.onmessage = (event) => data.push([event.target, event.data])
  page.gate.open({ EventSource: Replacement as unknown as typeof EventSource })
  const captured = connect('captured', undefined, Captured)
  captured.onmessage = (event) => data.push([event.target, event.data])
  for (const [index, replacement] of made.entries()) {
    replacement.readyState = 1
    replacement.dispatchEvent(new MessageEvent('message', { data: index }))
  }
  captured.close()

  expect(made.map(({ url, withCredentials }) => [url, withCredentials])).toEqual([
    [`${page.scope.location.href}held`, true],
    [`${page.scope.location.href}captured`, false],
  ])
  expect(data).toEqual([
    [held, 0],
    [captured, 1],
  ])
  expect([held.readyState, captured.readyState, made[1]?.readyState]).toEqual([1, 2, 2])
  expect(captured).toBeInstanceOf(Captured)
})

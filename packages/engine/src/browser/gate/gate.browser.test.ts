import { expect, onTestFinished, test, vi } from 'vitest'

import { getGate, getPageState, type Replacements } from './gate.ts'
import { installGate } from './install-gate.ts'
import { useFrames } from './testing/frames.ts'

const page = useFrames()

/** One request of each kind. */
function requestAll(): void {
  void page.scope.fetch('fetch')
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('GET', 'xhr')
  xhr.send()
  new page.scope.EventSource('stream').onerror = () => {}
  new page.scope.WebSocket(page.server.socketUrl('socket')).onerror = () => {}
  page.scope.navigator.sendBeacon('beacon')
  new page.scope.Image().src = 'image'
}

const allLines = ['GET fetch', 'GET xhr', 'GET stream', 'POST beacon', 'GET image']

function lastSegment(url: string | URL): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}

function warnings(): string[] {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const lines: string[] = []
  warn.mockImplementation((line: string) => {
    lines.push(line)
  })
  return lines
}

/** All functions that the gate may change, with the attributes of their properties. */
function readPlatform(): Map<string, PropertyDescriptor | undefined> {
  const owners = {
    window: page.scope,
    Navigator: page.scope.Navigator.prototype,
    XMLHttpRequest: page.scope.XMLHttpRequest.prototype,
    EventSource: page.scope.EventSource.prototype,
    WebSocket: page.scope.WebSocket.prototype,
    Worker: page.scope.Worker.prototype,
    SharedWorker: page.scope.SharedWorker.prototype,
    URL: page.scope.URL,
    Element: page.scope.Element.prototype,
    HTMLImageElement: page.scope.HTMLImageElement.prototype,
    HTMLMediaElement: page.scope.HTMLMediaElement.prototype,
    HTMLSourceElement: page.scope.HTMLSourceElement.prototype,
    HTMLVideoElement: page.scope.HTMLVideoElement.prototype,
  }
  return new Map(
    Object.entries(owners).flatMap(([owner, object]) =>
      Object.entries(Object.getOwnPropertyDescriptors(object)).map(
        ([name, descriptor]) => [`${owner}.${name}`, descriptor] as const,
      ),
    ),
  )
}

/** Returns the names of changed properties. */
function differences(before: Map<string, PropertyDescriptor | undefined>): string[] {
  const after = readPlatform()
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => {
    const [a, b] = [before.get(name), after.get(name)]
    return (['value', 'get', 'set', 'writable', 'enumerable', 'configurable'] as const).some(
      (key) => !Object.is(a?.[key], b?.[key]),
    )
  })
}

test('without a gate, the server counts every request', async () => {
  requestAll()
  await expect.poll(() => page.server.lines.toSorted()).toEqual(allLines.toSorted())
  await expect.poll(() => page.server.sockets).toEqual(['socket'])
})

test('holds every request until it is opened', async () => {
  const gate = installGate(page.scope)
  requestAll()
  await page.server.settle()

  expect(gate.state).toBe('held')
  expect(gate.held).toBe(6)
  expect(page.server.lines).toEqual([])
  expect(page.server.sockets).toEqual([])

  gate.open()

  expect(gate.state).toBe('open')
  expect(gate.held).toBe(0)
  await expect.poll(() => page.server.lines.toSorted()).toEqual(allLines.toSorted())
  await expect.poll(() => page.server.sockets).toEqual(['socket'])
})

test('is installed once, under the shared key, and keeps the existing state', () => {
  const other = { some: 'part' }
  const key = Symbol.for('understudy')
  Reflect.set(page.scope, key, other)
  const gate = installGate(page.scope)
  const { fetch } = page.scope

  expect(installGate(page.scope)).toBe(gate)
  expect(page.scope.fetch).toBe(fetch)
  expect(Reflect.get(page.scope, key)).toBe(other)
  expect(other).toMatchObject({ some: 'part', gate })
  expect(getGate(page.scope)).toBe(gate)
})

test('a page without its script has no gate', () => {
  expect(getGate(page.scope)).toBeUndefined()
})

test('restores every property exactly', () => {
  const before = readPlatform()
  const gate = installGate(page.scope)
  expect(differences(before)).toEqual(
    expect.arrayContaining(['window.fetch', 'window.XMLHttpRequest', 'Navigator.sendBeacon', 'Element.setAttribute']),
  )

  gate.open()

  expect(differences(before)).toEqual([])
})

test('restores properties that have unusual attributes', () => {
  const { fetch } = page.scope
  Object.defineProperty(page.scope, 'fetch', { value: fetch, writable: false, enumerable: false })
  const gate = installGate(page.scope)
  expect(page.scope.fetch).not.toBe(fetch)

  gate.open()

  expect(Object.getOwnPropertyDescriptor(page.scope, 'fetch')).toEqual({
    value: fetch,
    writable: false,
    enumerable: false,
    configurable: true,
  })
})

test('offers the natives, which are never held', async () => {
  const { fetch, XMLHttpRequest, EventSource, WebSocket } = page.scope
  const sendBeacon = page.scope.navigator.sendBeacon.bind(page.scope.navigator)
  const gate = installGate(page.scope)
  expect(gate.natives).toMatchObject({ fetch, XMLHttpRequest, EventSource, WebSocket })

  const { fetch: native } = gate.natives
  await native('native-fetch')
  const xhr = new gate.natives.XMLHttpRequest()
  xhr.open('GET', 'native-xhr')
  xhr.send()
  gate.natives.sendBeacon?.call(page.scope.navigator, 'native-beacon')
  sendBeacon('bound-native-beacon')

  expect(gate.held).toBe(0)
  await expect
    .poll(() => page.server.lines.toSorted())
    .toEqual(['GET native-fetch', 'GET native-xhr', 'POST bound-native-beacon', 'POST native-beacon'])
})

test('wrappers have the name and length of the natives', () => {
  const names = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'Audio'] as const
  const describe = () => [...names.map((name) => page.scope[name]), page.scope.navigator.sendBeacon].map(toSignature)
  const toSignature = ({ name, length }: { name: string; length: number }): string => `${name}/${length}`
  const before = describe()
  installGate(page.scope)

  expect(describe()).toEqual(before)
})

test('sends held requests in their order', () => {
  const gate = installGate(page.scope)
  const order: string[] = []
  void page.scope.fetch('1')
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('GET', '2')
  xhr.send()
  page.scope.navigator.sendBeacon('3')
  void page.scope.fetch('4')

  class OrderedXMLHttpRequest extends gate.natives.XMLHttpRequest {
    override send(): void {
      order.push('xhr')
    }
  }
  gate.open({
    fetch: (input) => {
      order.push(lastSegment((input as Request).url))
      return new Promise(() => {})
    },
    XMLHttpRequest: OrderedXMLHttpRequest,
    sendBeacon: (url) => {
      order.push(lastSegment(url))
      return true
    },
  })

  expect(order).toEqual(['1', 'xhr', '3', '4'])
})

test('continues with the next if one fails, and reports the error', async () => {
  const gate = installGate(page.scope)
  page.scope.navigator.sendBeacon('1')
  const answer = page.scope.fetch('2')
  const reported = new Promise<ErrorEvent>((resolve) => {
    page.scope.addEventListener('error', (event) => {
      event.preventDefault()
      resolve(event)
    })
  })
  const failure = new Error('replacement')
  gate.open({
    sendBeacon: () => {
      throw failure
    },
  })

  expect((await reported).error).toBe(failure)
  expect((await answer).status).toBe(200)
})

test('a held request that is aborted while another one is sent is not sent', () => {
  const gate = installGate(page.scope)
  const fetched: string[] = []
  const controller = new AbortController()
  void page.scope.fetch('1')
  page.scope.fetch('2', { signal: controller.signal }).catch(() => {})
  gate.open({
    fetch: (input) => {
      fetched.push(lastSegment((input as Request).url))
      controller.abort()
      return new Promise(() => {})
    },
  })

  expect(fetched).toEqual(['1'])
})

test('keeps a replacement by other code, which still calls the gate', async () => {
  const gate = installGate(page.scope)
  const original = page.scope.fetch
  const calls: unknown[] = []
  const theirs: typeof fetch = (...args) => {
    calls.push(args[0])
    return original(...args)
  }
  page.scope.fetch = theirs
  const held = page.scope.fetch('held')
  gate.open()
  await held
  await page.scope.fetch('open')

  expect(page.scope.fetch).toBe(theirs)
  expect(calls).toEqual(['held', 'open'])
  expect(page.server.lines).toEqual(['GET held', 'GET open'])
})

test('replacements replace the globals, also for code that stored a global before', () => {
  const gate = installGate(page.scope)
  const captured = page.scope.fetch
  const replacements = {
    fetch: vi.fn<typeof fetch>(() => new Promise(() => {})),
    XMLHttpRequest: class extends gate.natives.XMLHttpRequest {},
    EventSource: class extends page.scope.EventTarget {},
    WebSocket: class extends page.scope.EventTarget {},
    sendBeacon: vi.fn<Navigator['sendBeacon']>(() => true),
  }
  const before = Object.getOwnPropertyDescriptor(page.scope, 'XMLHttpRequest')
  gate.open(replacements as unknown as Replacements)
  expect(gate.replacements).toBe(replacements)

  const { fetch, XMLHttpRequest, EventSource, WebSocket } = page.scope
  expect({
    fetch,
    XMLHttpRequest,
    EventSource,
    WebSocket,
    sendBeacon: Reflect.get(page.scope.navigator, 'sendBeacon'),
  }).toEqual(replacements)
  expect(Object.getOwnPropertyDescriptor(page.scope, 'XMLHttpRequest')).toEqual({
    ...before,
    value: replacements.XMLHttpRequest,
  })
  const init = { method: 'POST' }
  void captured('captured', init)
  expect(replacements.fetch).toHaveBeenCalledExactlyOnceWith('captured', init)
  expect(page.scope.navigator.sendBeacon('beacon')).toBe(true)
  expect(replacements.sendBeacon).toHaveBeenCalledExactlyOnceWith('beacon')
})

test('a second open() changes and removes replacements', () => {
  const before = readPlatform()
  const gate = installGate(page.scope)
  const first = vi.fn<typeof fetch>()
  const second = vi.fn<typeof fetch>()
  gate.open({ fetch: first, XMLHttpRequest: class extends gate.natives.XMLHttpRequest {} })
  expect(page.scope.fetch).toBe(first)
  gate.open({ fetch: second })
  expect(page.scope.fetch).toBe(second)
  gate.open()
  expect(differences(before)).toEqual([])

  // The code with the replacement may have restored the native function already.
  gate.open({ fetch: first })
  page.scope.fetch = gate.natives.fetch
  gate.open({ fetch: second })
  expect(page.scope.fetch).toBe(second)
})

test('the end of a hold opens the gate, unless hold() was called again', () => {
  const gate = installGate(page.scope)
  gate.open()
  const releaseFirst = gate.hold({ connections: false })
  expect(gate.isEnding).toBe(true)
  const releaseSecond = gate.hold()
  expect(gate.isEnding).toBe(false)
  releaseFirst()
  expect(gate.state).toBe('held')
  releaseSecond()
  expect(gate.state).toBe('open')
})

test('holds calls of a replacement by other code, and restores that replacement', async () => {
  const gate = installGate(page.scope)
  gate.open()
  const { prototype } = page.scope.XMLHttpRequest
  const { fetch } = page.scope
  const send = Reflect.get(prototype, 'send') as (...args: unknown[]) => void
  const theirs = (...args: Parameters<typeof fetch>): Promise<Response> => fetch(...args)
  const theirSend = function (this: XMLHttpRequest, ...args: unknown[]): void {
    Reflect.apply(send, this, args)
  }
  page.scope.fetch = theirs
  Reflect.set(prototype, 'send', theirSend)
  const early = new page.scope.XMLHttpRequest()
  early.open('GET', 'early')
  for (let round = 0; round < 3; round += 1) {
    gate.hold()
    gate.open()
    expect(page.scope.fetch).toBe(theirs)
    expect(Reflect.get(prototype, 'send')).toBe(theirSend)
  }
  gate.hold()
  void page.scope.fetch('fetch')
  early.send()
  await page.server.settle()
  expect(gate.held).toBe(2)
  expect(page.server.lines).toEqual([])
  gate.open()
  await expect.poll(() => page.server.lines.toSorted()).toEqual(['GET early', 'GET fetch'])
})

test('holds again after hold()', async () => {
  const before = readPlatform()
  const gate = installGate(page.scope)
  gate.open()
  gate.hold()
  requestAll()
  await page.server.settle()

  expect(gate.state).toBe('held')
  expect(gate.held).toBe(6)
  expect(page.server.lines).toEqual([])

  gate.open()
  await expect.poll(() => page.server.lines.toSorted()).toEqual(allLines.toSorted())
  expect(differences(before).filter((name) => !/^(EventSource|WebSocket)\./.test(name))).toEqual([])
})

test('works in a page that lacks some of the functions', async () => {
  for (const name of ['XMLHttpRequest', 'EventSource', 'WebSocket', 'Audio']) Reflect.deleteProperty(page.scope, name)
  Reflect.deleteProperty(page.scope.Navigator.prototype, 'sendBeacon')
  const gate = installGate(page.scope)
  const answer = page.scope.fetch('fetch')
  gate.open()

  expect((await answer).status).toBe(200)
  expect('XMLHttpRequest' in page.scope).toBe(false)
  expect('sendBeacon' in page.scope.navigator).toBe(false)
})

test('warns once that requests wait, and continues to hold them', async () => {
  const lines = warnings()
  const timers: [() => void, number][] = []
  Reflect.set(page.scope, 'setTimeout', (callback: () => void, milliseconds: number) =>
    timers.push([callback, milliseconds]),
  )
  const gate = installGate(page.scope)
  const elapse = (): void => timers.shift()?.[0]()

  // A request that was aborted in time no longer waits.
  const controller = new AbortController()
  const aborted = page.scope.fetch('aborted', { signal: controller.signal })
  controller.abort()
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  expect(timers).toEqual([[expect.any(Function), 5000]])
  elapse()
  expect(lines).toEqual([])

  requestAll()
  expect(timers).toHaveLength(1)
  elapse()
  requestAll()
  expect(timers).toHaveLength(0)
  await page.server.settle()

  expect(lines).toEqual([
    '[understudy] Still waiting for mocking to start; requests held: 6. ' +
      'Look for an error above or in the terminal. Use bypass() for requests in the handlers module. ' +
      'If you stopped loading the page, reload it. (US0305)',
  ])
  expect(gate.state).toBe('held')
  expect(page.server.lines).toEqual([])
})

test('prints no warning if it is opened in time', () => {
  const lines = warnings()
  const timers: (() => void)[] = []
  Reflect.set(page.scope, 'setTimeout', (callback: () => void) => timers.push(callback))
  const gate = installGate(page.scope)
  void page.scope.fetch('fetch')
  gate.open()
  for (const elapse of timers) elapse()

  expect(timers).toHaveLength(1)
  expect(lines).toEqual([])
})

test.for([
  'main.0f3a.hot-update.json',
  '__webpack_hmr',
  'lazy-compilation-using-src_page_js',
  '_rspack/lazy/trigger',
  'own',
  'own/below?query',
])('does not hold requests of the dev server: %s', async (path) => {
  Object.assign(getPageState(page.scope), { neverHeld: [`${page.scope.location.pathname}own`] })
  const gate = installGate(page.scope)
  await page.scope.fetch(`${path}`)

  expect(gate.held).toBe(0)
  expect(page.server.lines).toEqual([`GET ${path}`])
})

test.for(['owner', 'x/own', 'hot-update.json'])(
  'holds requests that only look like those of the dev server: %s',
  async (path) => {
    Object.assign(getPageState(page.scope), { neverHeld: [`${page.scope.location.pathname}own`] })
    const gate = installGate(page.scope)
    void page.scope.fetch(`${path}`)
    await page.server.settle()

    expect(gate.held).toBe(1)
    expect(page.server.lines).toEqual([])
  },
)

test('does not hold requests of a listed dev server on another port or host, but holds those of an API with the same path', () => {
  Object.assign(getPageState(page.scope), { neverHeld: ['/ws', 'ws://dev.example.com/hot'] })
  const gate = installGate(page.scope)
  for (const url of ['ws://localhost:1/ws', 'ws://127.0.0.1:1/ws', 'wss://dev.example.com:1/hot']) {
    new page.scope.WebSocket(url).close()
  }
  expect(gate.held).toBe(0)
  const api = new page.scope.WebSocket('wss://api.example.com/ws')
  expect(gate.held).toBe(1)
  api.close()
})

test.for(['vite-hmr', 'vite-ping'])('does not hold the socket of Vite: %s', (protocol) => {
  const gate = installGate(page.scope)
  const socket = new page.scope.WebSocket('ws://localhost:1/vite', protocol)
  expect(gate.held).toBe(0)
  socket.close()
})

import { expect, onTestFinished, test, vi } from 'vitest'

import { installGate } from './install-gate.ts'
import { useGatedFrames } from './testing/frames.ts'
import { types, until, watch } from './testing/watch-xml-http-request.ts'

const page = useGatedFrames()

function warnings(): string[] {
  const lines: string[] = []
  const warn = vi.spyOn(console, 'warn').mockImplementation((line: string) => {
    lines.push(line)
  })
  onTestFinished(() => warn.mockRestore())
  return lines
}

test('is an object of the platform’s class', () => {
  const xhr = new page.scope.XMLHttpRequest()

  expect(xhr).toBeInstanceOf(page.scope.XMLHttpRequest)
  expect(xhr).toBeInstanceOf(page.gate.natives.XMLHttpRequest)
  expect(Object.prototype.toString.call(xhr)).toBe('[object XMLHttpRequest]')
  expect(page.scope.XMLHttpRequest.DONE).toBe(4)
  expect(xhr.DONE).toBe(4)
  expect(page.scope.XMLHttpRequest.prototype).toBe(page.gate.natives.XMLHttpRequest.prototype)
  expect(() => Reflect.apply(page.scope.XMLHttpRequest, undefined, [])).toThrow(page.scope.TypeError)
})

test('is sent once the gate is opened, and answered', async () => {
  const xhr = new page.scope.XMLHttpRequest()
  const events = watch(xhr)
  xhr.open('PUT', 'users')
  xhr.setRequestHeader('X-Own', 'yes')
  xhr.responseType = 'json'
  xhr.send('text')
  await page.server.settle()
  expect(page.server.lines).toEqual([])
  expect(page.gate.held).toBe(1)
  expect(xhr.readyState).toBe(1)

  const loaded = until(xhr)
  page.gate.open()
  await loaded

  expect(xhr.response).toEqual({ method: 'PUT', path: 'users', body: 'text' })
  expect(xhr.status).toBe(200)
  expect(xhr.getResponseHeader('X-Arrived')).toBe('users')
  expect(page.server.arrivals).toEqual([
    expect.objectContaining({ path: 'users', headers: expect.objectContaining({ 'x-own': 'yes' }) }),
  ])
  expect(events.slice(0, 3)).toEqual(['readystatechange 1', 'loadstart 1', 'readystatechange 2'])
  await expect.poll(() => events.slice(-3)).toEqual(['readystatechange 4', 'load 4', 'loadend 4'])
})

test('converts arguments once, at the time of the call', async () => {
  const converted: string[] = []
  const toArgument = (name: string, text: string): string =>
    ({
      toString() {
        converted.push(name)
        return text
      },
    }) as unknown as string
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open(
    toArgument('method', 'PUT'),
    toArgument('url', 'users'),
    true,
    toArgument('user', ''),
    toArgument('password', ''),
  )
  xhr.setRequestHeader(toArgument('name', 'X-Own'), toArgument('value', 'yes'))
  xhr.send(toArgument('body', 'text'))
  page.gate.open()
  await until(xhr)

  expect(converted).toEqual(['method', 'url', 'user', 'password', 'name', 'value', 'body'])
  expect(page.server.arrivals).toEqual([expect.objectContaining({ method: 'PUT', path: 'users', body: 'text' })])
})

test('throws the error of an argument’s conversion', () => {
  const reason = new Error('no text')
  const broken = {
    toString() {
      throw reason
    },
  } as unknown as string
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('PUT', 'users')
  expect(() => xhr.send(broken)).toThrow(reason)
  // Pages that are not isolated have no class `SharedArrayBuffer`.
  const { buffer: shared } = new WebAssembly.Memory({ shared: true, initial: 1, maximum: 1 })
  expect(() => xhr.send(shared)).toThrow(expect.objectContaining({ name: 'TypeError' }))
  expect(() => Reflect.apply(xhr.setRequestHeader, xhr, ['X-Own'])).toThrow(page.scope.TypeError)
  expect(() => Reflect.apply(xhr.overrideMimeType, xhr, [])).toThrow(page.scope.TypeError)
  expect(() => Reflect.apply(xhr.open, xhr, ['GET'])).toThrow(page.scope.TypeError)
  expect(page.gate.held).toBe(0)

  const sendsTwice = {
    toString() {
      xhr.send('first')
      return 'second'
    },
  } as unknown as string
  expect(() => xhr.send(sendsTwice)).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
  expect(page.gate.held).toBe(1)
})

test('captures body and URL at the time of the call', async () => {
  const base = page.scope.document.createElement('base')
  base.href = 'before/'
  page.scope.document.head.append(base)
  const form = new page.scope.FormData()
  form.set('name', 'before')
  const bytes = new TextEncoder().encode('before')
  const parsed = new DOMParser().parseFromString('<root>before</root>', 'text/xml')
  for (const body of [form, bytes, parsed]) {
    const xhr = new page.scope.XMLHttpRequest()
    xhr.open('POST', 'users')
    xhr.send(body)
  }
  form.set('name', 'after')
  bytes.fill(0)
  parsed.documentElement.textContent = 'after'
  base.href = 'after/'
  page.gate.open()
  await expect.poll(() => page.server.lines).toEqual(Array(3).fill('POST before/users'))

  expect(page.server.arrivals.map(({ body }) => body.replaceAll(/\s/g, '')).toSorted()).toEqual([
    expect.stringMatching(/^------.*name="name"before------.*--$/),
    '<root>before</root>',
    'before',
  ])
  const contentTypes = new Map(page.server.arrivals.map(({ body, headers }) => [body, headers['content-type']]))
  expect(contentTypes.get('before')).toBeUndefined()
  expect(contentTypes.get('<root>before</root>')).toBe('application/xml;charset=UTF-8')
})

test('throws the platform’s errors', () => {
  const xhr = new page.scope.XMLHttpRequest()
  expect(() => xhr.send()).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
  expect(() => xhr.open('GET', 'http://[')).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
  expect(() => xhr.open('TRACE', 'users')).toThrow(expect.objectContaining({ name: 'SecurityError' }))
  xhr.open('GET', 'users')
  xhr.send()
  expect(() => xhr.send()).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
  expect(() => xhr.setRequestHeader('X-Own', 'late')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
  expect(page.gate.held).toBe(1)
})

test('a request with a response is not sent again', async () => {
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('GET', 'users')
  const ended = until(xhr, 'loadend')
  xhr.send()
  page.gate.open()
  await ended
  page.gate.hold()

  expect(() => xhr.send()).toThrow(expect.objectContaining({ name: 'InvalidStateError' }))
  expect(page.gate.held).toBe(0)
})

test.for([
  ['GET', null],
  ['POST', 'text'],
  ['POST', new Blob(['a blob'])],
  ['POST', new URLSearchParams('name=value')],
] as const)('an abort while held is the platform’s, and nothing is sent: %s', async ([method, body]) => {
  /** The events after `send()`: the platform fires `loadstart` when it sends the request. */
  function abort(xhr: XMLHttpRequest, url: string): string[] {
    xhr.open(method, url)
    const events = watch(xhr)
    // Without a body there is no upload, but Chromium fires its `abort`.
    for (const type of body ? types : []) {
      xhr.upload.addEventListener(type, (event) => {
        const { loaded, total, lengthComputable } = event as ProgressEvent
        events.push(`upload ${type} ${loaded} ${total} ${lengthComputable}`)
      })
    }
    xhr.send(body)
    xhr.abort()
    return [...events, `state ${xhr.readyState}`]
  }
  const native = abort(new page.gate.natives.XMLHttpRequest(), 'native')
  const xhr = new page.scope.XMLHttpRequest()

  expect(abort(xhr, 'held')).toEqual(native)
  expect(native).toEqual(expect.arrayContaining(['readystatechange 4', 'abort 4', 'loadend 4', 'state 0']))
  expect(page.gate.held).toBe(0)

  page.gate.open()
  await page.server.settle()
  expect(page.server.lines).not.toContain(`${method} held`)

  xhr.open('GET', 'again')
  const loaded = until(xhr)
  xhr.send()
  await loaded
  expect(page.server.lines).toContain('GET again')
})

test('an abort before it is sent, and after it is answered, is the platform’s', async () => {
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('GET', 'users')
  const events = watch(xhr)
  xhr.abort()
  expect([...events, xhr.readyState]).toEqual([1])

  xhr.open('GET', 'users')
  const loaded = until(xhr, 'loadend')
  xhr.send()
  page.gate.open()
  await loaded
  events.length = 0
  xhr.abort()
  expect([...events, xhr.readyState]).toEqual([0])
})

test('open() and send() called twice while held: only the last request is sent', async () => {
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('GET', 'first')
  xhr.setRequestHeader('X-First', 'yes')
  xhr.send()
  xhr.open('GET', 'second')
  const loaded = until(xhr)
  xhr.send()
  expect(page.gate.held).toBe(1)
  page.gate.open()
  await loaded

  expect(page.server.lines).toEqual(['GET second'])
  expect(page.server.arrivals[0]?.headers).not.toHaveProperty('x-first')
})

test('its timeout starts when the request is sent', async () => {
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('GET', 'users')
  xhr.timeout = 1
  const events = watch(xhr)
  xhr.send()
  await page.server.settle()
  await page.server.settle()
  expect(events).toEqual([])

  const ended = until(xhr, 'loadend')
  xhr.timeout = 0
  page.gate.open()
  await ended
  expect(events).toContain('load 4')
})

test('a synchronous request goes to the network immediately, with a warning', () => {
  const lines = warnings()
  // Handlers run on the page's thread, which a synchronous request blocks: no handler could answer it.
  const url = page.scope.URL.createObjectURL(new page.scope.Blob(['blob']))
  const unmocked = new page.scope.XMLHttpRequest()
  unmocked.open('GET', url, false)
  unmocked.send()
  expect(unmocked.responseText).toBe('blob')
  expect(lines).toEqual([])

  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('GET', 'http://localhost:1/users', undefined as unknown as boolean)
  expect(() => xhr.send()).toThrow(expect.objectContaining({ name: 'NetworkError' }))
  expect(lines).toEqual([
    '[understudy] Failed to mock GET http://localhost:1/users: a synchronous XMLHttpRequest cannot wait and goes to the network. ' +
      'Make it asynchronous, or use fetch(). (US0306)',
  ])
  expect(page.gate.held).toBe(0)

  page.gate.open()
  xhr.open('GET', 'http://localhost:1/users', false)
  expect(() => xhr.send()).toThrow(expect.objectContaining({ name: 'NetworkError' }))
  expect(lines).toHaveLength(1)
})

test('does not hold bypassed requests, or requests that can never be mocked', async () => {
  const url = page.scope.URL.createObjectURL(new page.scope.Blob(['blob']))
  for (const each of ['bypassed', url]) {
    const xhr = new page.scope.XMLHttpRequest()
    xhr.open('GET', each)
    xhr.setRequestHeader('Accept', 'application/json')
    xhr.setRequestHeader('Accept', 'understudy/passthrough')
    const loaded = until(xhr)
    xhr.send()
    await loaded
  }

  expect(page.server.lines).toEqual(['GET bypassed'])
  expect(page.gate.state).toBe('held')
})

test('a class that was stored while it was held creates native objects', async () => {
  const Captured = page.scope.XMLHttpRequest
  page.gate.open()
  expect(page.scope.XMLHttpRequest).toBe(page.gate.natives.XMLHttpRequest)
  const xhr = new Captured()
  expect(xhr).toBeInstanceOf(page.gate.natives.XMLHttpRequest)
  xhr.open('GET', 'users')
  const loaded = until(xhr)
  xhr.send()
  await loaded

  expect(page.server.lines).toEqual(['GET users'])
})

test('may be extended', async () => {
  class Own extends page.scope.XMLHttpRequest {
    sent = 0
    override send(body?: XMLHttpRequestBodyInit | null): void {
      this.sent += 1
      super.send(body)
    }
  }
  const xhr = new Own()
  expect(xhr).toBeInstanceOf(Own)
  xhr.open('GET', 'users')
  const loaded = until(xhr)
  xhr.send()
  expect(page.gate.held).toBe(1)
  page.gate.open()
  await loaded

  expect(xhr.sent).toBe(1)
  expect(page.server.lines).toEqual(['GET users'])
})

test.for(['before', 'while'])(
  'methods that libraries set on the prototype %s it is held stay, and get each call',
  async (when) => {
    page.gate.open()
    page.scope = await page.server.openFrame()
    const calls: string[] = []
    const { prototype } = page.scope.XMLHttpRequest
    let theirs: unknown
    const patch = (): void => {
      const platform = Object.getOwnPropertyDescriptors(prototype)
      prototype.open = function (this: XMLHttpRequest, ...args: unknown[]) {
        calls.push(`open ${String(args[1])}`)
        Reflect.apply(platform.open.value as () => void, this, args)
      }
      prototype.send = function (this: XMLHttpRequest, ...args: unknown[]) {
        calls.push('send')
        Reflect.apply(platform.send.value as () => void, this, args)
      }
      theirs = Reflect.get(prototype, 'send')
    }
    if (when === 'before') patch()
    page.gate = installGate(page.scope)
    if (when === 'while') patch()

    const xhr = new page.scope.XMLHttpRequest()
    xhr.open('GET', 'held')
    const loaded = until(xhr)
    xhr.send()
    expect(page.gate.held).toBe(1)
    page.gate.open()
    await loaded
    xhr.open('GET', 'open')
    const loadedAgain = until(xhr)
    xhr.send()
    await loadedAgain

    expect(Reflect.get(prototype, 'send')).toBe(theirs)
    expect(calls).toEqual(['open held', 'send', 'open open', 'send'])
    expect(page.server.lines).toEqual(['GET held', 'GET open'])
  },
)

import { expect, onTestFinished, test, vi } from 'vitest'

import { useGatedFrames } from './testing/frames.ts'
import { until, watch } from './testing/watch-xml-http-request.ts'

const page = useGatedFrames()

function warnings(): string[] {
  const lines: string[] = []
  const warn = vi.spyOn(console, 'warn').mockImplementation((line: string) => {
    lines.push(line)
  })
  onTestFinished(() => warn.mockRestore())
  return lines
}

/** Creates a replacement that marks the URL of each request and sends it, and records the calls. */
function createReplacement() {
  const told: string[] = []
  const uploadListeners: string[] = []
  class Replacement extends page.gate.natives.XMLHttpRequest {
    constructor() {
      super()
      const { upload } = this
      upload.addEventListener = (...args: Parameters<EventTarget['addEventListener']>) => {
        uploadListeners.push(args[0])
        EventTarget.prototype.addEventListener.apply(upload, args)
      }
    }
    override open(method: string, url: string | URL, ...rest: unknown[]): void {
      told.push(`open ${[method, url, ...rest].join(' ')}`)
      super.open(method, `${String(url)}?carried`)
    }
    override setRequestHeader(name: string, value: string): void {
      told.push(`${name}: ${value}`)
      super.setRequestHeader(name, value)
    }
    override overrideMimeType(mime: string): void {
      told.push(`mime ${mime}`)
      super.overrideMimeType(mime)
    }
    override send(body?: XMLHttpRequestBodyInit | null): void {
      told.push(`send ${this.responseType} ${this.timeout} ${this.withCredentials} ${body as string}`)
      super.send(body)
    }
  }
  return { Replacement, told, uploadListeners }
}

test('open() called twice: a replacement gets only the last request', async () => {
  const { Replacement, told } = createReplacement()
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('GET', 'first')
  xhr.setRequestHeader('X-First', 'yes')
  xhr.open('GET', 'second')
  const loaded = until(xhr)
  xhr.send()
  page.gate.open({ XMLHttpRequest: Replacement })
  await loaded

  expect(told).toEqual([`open GET ${page.scope.location.href}second true`, 'send  0 false undefined'])
})

test('a replacement gets all calls, and answers through the app’s object', async () => {
  const { Replacement, told, uploadListeners } = createReplacement()
  const xhr = new page.scope.XMLHttpRequest()
  const events = watch(xhr)
  xhr.open('POST', 'users', true, 'name', 'secret')
  xhr.setRequestHeader('X-Own', 'yes')
  xhr.overrideMimeType('text/plain')
  xhr.responseType = 'json'
  xhr.timeout = 60_000
  xhr.withCredentials = true
  xhr.send('text')
  expect(told).toEqual([])

  const ended = until(xhr, 'loadend')
  page.gate.open({ XMLHttpRequest: Replacement })
  const { loaded, total } = await ended

  expect(told).toEqual([
    `open POST ${page.scope.location.href}users true name secret`,
    'x-own: yes',
    'mime text/plain',
    'send json 60000 true text',
  ])
  expect(uploadListeners).toEqual([])
  expect(page.server.lines).toEqual(['POST users?carried'])
  expect(xhr.response).toEqual({ method: 'POST', path: 'users?carried', body: 'text' })
  expect([xhr.status, xhr.statusText, xhr.readyState, xhr.timeout]).toEqual([200, 'OK', 4, 60_000])
  expect(xhr.responseURL).toBe(`${page.scope.location.href}users?carried`)
  expect(xhr.getResponseHeader('x-arrived')).toBe('users?carried')
  expect(xhr.getAllResponseHeaders()).toContain('x-arrived: users?carried')
  expect(loaded).toBeGreaterThan(0)
  expect(total).toBe(loaded)
  expect(events).toEqual([
    'readystatechange 1',
    'loadstart 1',
    'readystatechange 2',
    'readystatechange 3',
    'progress 3',
    'readystatechange 4',
    'load 4',
    'loadend 4',
  ])
})

test('a replacement’s upload events reach the app’s object', async () => {
  const { Replacement, uploadListeners } = createReplacement()
  const xhr = new page.scope.XMLHttpRequest()
  class UploadingReplacement extends Replacement {
    override send(): void {
      for (const type of ['progress', 'load', 'loadend']) {
        this.upload.dispatchEvent(new ProgressEvent(type, { loaded: 4 }))
      }
      super.send()
    }
  }
  const uploaded: string[] = []
  const note = function (this: unknown, event: ProgressEvent): void {
    expect(this).toBe(xhr.upload)
    expect(event.target).toBe(xhr.upload)
    uploaded.push(`${event.type} ${event.loaded}`)
  }
  xhr.upload.addEventListener('loadend', note)
  xhr.upload.onprogress = note
  xhr.open('POST', 'users')
  xhr.send('text')
  const loaded = until(xhr)
  page.gate.open({ XMLHttpRequest: UploadingReplacement })
  await loaded

  expect(uploaded).toEqual(['progress 4', 'loadend 4'])
  expect(uploadListeners.toSorted()).toEqual(['loadend', 'progress'])
})

test('a replacement answers later requests of the same object, and its abort', async () => {
  const { Replacement } = createReplacement()
  const xhr = new page.scope.XMLHttpRequest()
  xhr.open('GET', 'first')
  const first = until(xhr, 'loadend')
  xhr.send()
  page.gate.open({ XMLHttpRequest: Replacement })
  await first

  const events = watch(xhr)
  xhr.open('GET', 'second')
  expect(xhr.readyState).toBe(1)
  const second = until(xhr, 'loadend')
  xhr.send()
  await second
  expect(xhr.responseText).toContain('second')
  expect(events[0]).toBe('readystatechange 1')

  xhr.open('GET', 'third')
  xhr.send()
  events.length = 0
  xhr.abort()
  expect([...events, xhr.readyState]).toEqual(['readystatechange 4', 'abort 4', 'loadend 4', 0])
})

test('a replacement gets objects of a class that was stored before, and unsent requests', async () => {
  const { Replacement, told } = createReplacement()
  const Captured = page.scope.XMLHttpRequest
  const opened = new page.scope.XMLHttpRequest()
  opened.open('GET', 'opened')
  page.gate.open({ XMLHttpRequest: Replacement })
  const captured = new Captured()
  captured.open('GET', 'captured')
  for (const xhr of [opened, captured]) {
    expect(xhr).toBeInstanceOf(Captured)
    const loaded = until(xhr)
    xhr.send()
    await loaded
    expect(xhr.responseText).toContain('carried')
  }

  expect(told.filter((line) => line.startsWith('open'))).toHaveLength(2)
  expect(page.server.lines).toEqual(['GET opened?carried', 'GET captured?carried'])
})

test('a replacement does not get requests that cannot be mocked', async () => {
  const lines = warnings()
  const { Replacement, told } = createReplacement()
  const Captured = page.scope.XMLHttpRequest
  page.gate.open({ XMLHttpRequest: Replacement })
  const url = page.scope.URL.createObjectURL(new page.scope.Blob(['blob']))
  const xhr = new Captured()
  xhr.open('GET', url)
  const loaded = until(xhr)
  xhr.send()
  await loaded
  xhr.open('GET', 'http://localhost:1/users', false)
  expect(() => xhr.send()).toThrow(expect.objectContaining({ name: 'NetworkError' }))

  expect(told).toEqual([])
  expect(lines).toHaveLength(1)
})

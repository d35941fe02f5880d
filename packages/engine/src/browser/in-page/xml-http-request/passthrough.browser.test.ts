import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'

import { bypass } from '../../../core/responses/bypass.ts'
import { HttpResponse } from '../../../core/responses/http-response.ts'
import { passthrough } from '../../../core/responses/passthrough.ts'
import { http } from '../../../http/http.ts'
import { setupWorker, type SetupWorker } from '../../start/setup-worker.ts'
import type { StartOptions } from '../../start/start-options.ts'
import { ended, record, send } from './testing/send.ts'

const upstream = inject('upstream')
const Native = XMLHttpRequest

let worker: SetupWorker

async function start(options: StartOptions = { onUnhandledRequest: 'bypass' }): Promise<void> {
  vi.spyOn(console, 'info').mockImplementation(() => {})
  Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
  await worker.start({ quiet: true, ...options })
}

beforeEach(() => {
  worker = setupWorker(
    http.post(`${upstream}/passed`, () => passthrough()),
    http.get('/mocked', () => HttpResponse.text('mocked')),
  )
})
afterEach(() => {
  worker.stop()
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** Records all events of a request, including those of its upload. */
function recordAll(xhr: XMLHttpRequest): string[] {
  const log = record(xhr)
  for (const type of ['loadstart', 'load', 'loadend']) xhr.upload.addEventListener(type, () => log.push(`up ${type}`))
  return log
}

async function logOf(Class: typeof XMLHttpRequest, path: string): Promise<string[]> {
  const xhr = new Class()
  const log = recordAll(xhr)
  xhr.open('POST', `${upstream}${path}`)
  const end = ended(xhr)
  xhr.send('body')
  await end
  return [...log, xhr.responseText, xhr.responseURL]
}

describe('an XMLHttpRequest that no handler answers, in the page itself', () => {
  test.each([
    ['bypass', '/other'],
    ['warn', '/other'],
    ['bypass', '/passed'],
    ['warn', '/passed'],
  ] as const)('behaves like the platform’s: strategy "%s", %s', async (onUnhandledRequest, path) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const native = await logOf(Native, path)
    await start({ onUnhandledRequest })
    expect((await logOf(XMLHttpRequest, path)).toSorted()).toEqual(native.toSorted())
    expect(native).toEqual(expect.arrayContaining(['loadstart', 'up loadstart', 'up load', 'load']))
  })

  test('is sent immediately by the platform if no handler could answer', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await start({ onUnhandledRequest: 'warn' })
    const trusted: boolean[] = []
    const xhr = new XMLHttpRequest()
    xhr.addEventListener('loadstart', (event) => trusted.push(event.isTrusted))
    xhr.open('GET', `${upstream}/other`)
    const end = ended(xhr)
    xhr.send()
    expect(trusted).toEqual([true])
    await end
    expect(warn).toHaveBeenCalledOnce()
    expect(String(warn.mock.lastCall)).toContain(`GET ${upstream}/other`)
  })

  test('fails by the strategy "error"', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    await start({ onUnhandledRequest: 'error' })
    const xhr = new XMLHttpRequest()
    const log = record(xhr)
    xhr.open('GET', `${upstream}/other`)
    const end = ended(xhr)
    xhr.send()
    await end
    expect(log.slice(-3)).toEqual(['state 4', 'error', 'loadend'])
    expect(error).toHaveBeenCalledOnce()
  })

  test('calls listeners, with its body', async () => {
    await start()
    const heard: Promise<string>[] = []
    worker.events.on('response:bypass', ({ response }) => {
      heard.push(response.text().then((text) => `${response.status} ${response.url} ${text}`))
    })
    for (const responseType of ['', 'json', 'arraybuffer', 'blob'] as const) {
      await send({ method: 'POST', path: `${upstream}/passed`, prepare: (xhr) => (xhr.responseType = responseType) })
      await send({ path: `${upstream}/other`, prepare: (xhr) => (xhr.responseType = responseType) })
    }
    const lines = new Set(await Promise.all(heard))
    expect([...lines]).toEqual([`200 ${upstream}/passed []`, `200 ${upstream}/other []`])
    expect(heard).toHaveLength(8)
  })

  test('is sent without the mark of bypass()', async () => {
    await start()
    const resolver = vi.fn<() => void>()
    worker.use(http.get('*', resolver))
    const { headers } = bypass(`${upstream}/events/request`, { headers: { Accept: 'text/x', 'X-One': '1' } })
    const xhr = new XMLHttpRequest()
    xhr.open('GET', `${upstream}/events/request`)
    for (const [name, value] of headers) {
      if (name === 'accept') xhr.setRequestHeader(name, value)
    }
    const log = record(xhr)
    xhr.send()
    await expect.poll(() => xhr.responseText).toContain('"accept":"text/x"')
    expect(xhr.responseText).not.toContain('understudy')
    expect(log.slice(0, 2)).toEqual(['loadstart', 'state 2'])
    expect(resolver).not.toHaveBeenCalled()
    xhr.abort()
    expect(xhr.readyState).toBe(0)
  })

  test('may follow a mocked request on the same object, and the reverse', async () => {
    await start()
    const xhr = new XMLHttpRequest()
    const texts: string[] = []
    for (const path of ['/mocked', `${upstream}/other`, '/mocked', `${upstream}/other`]) {
      const log = record(xhr)
      xhr.open('GET', path)
      const end = ended(xhr)
      xhr.send()
      await end
      texts.push(xhr.responseText)
      expect(log).toEqual(['state 1', 'loadstart', 'state 2', 'state 3', 'state 4', 'load', 'loadend'])
    }
    expect(texts).toEqual(['mocked', '[]', 'mocked', '[]'])
  })

  test('keeps its timeout when a handler passes it through', async () => {
    await start()
    worker.use(http.get(`${upstream}/events`, () => passthrough()))
    const xhr = new XMLHttpRequest()
    xhr.open('GET', `${upstream}/events`)
    xhr.timeout = 300
    const log = record(xhr)
    const end = ended(xhr)
    xhr.send()
    await end
    expect(log.slice(-2)).toEqual(['timeout', 'loadend'])
  })
})

describe('the XMLHttpRequest of a page that answers itself', () => {
  test('looks like the platform’s class', async () => {
    const before = new Native()
    await start()
    expect(XMLHttpRequest).not.toBe(Native)
    const xhr = new XMLHttpRequest()
    expect([XMLHttpRequest.name, Object.prototype.toString.call(xhr), XMLHttpRequest.DONE, xhr.DONE]).toEqual([
      'XMLHttpRequest',
      '[object XMLHttpRequest]',
      4,
      4,
    ])
    expect(xhr).toBeInstanceOf(Native)
    expect(before).toBeInstanceOf(XMLHttpRequest)
    expect({}).not.toBeInstanceOf(XMLHttpRequest)
    const names = (object: object): string[] => {
      const found: string[] = []
      for (const name in object) found.push(name)
      return found.toSorted()
    }
    expect(names(xhr)).toEqual(names(before))
    expect(xhr.upload).toBeInstanceOf(XMLHttpRequestUpload)
  })

  test('may be extended', async () => {
    await start()
    class Own extends XMLHttpRequest {
      override get responseText(): string {
        return `own ${super.responseText}`
      }
    }
    const xhr = new Own()
    expect(xhr).toBeInstanceOf(Own)
    expect(new XMLHttpRequest()).not.toBeInstanceOf(Own)
    xhr.open('GET', '/mocked')
    const end = ended(xhr)
    xhr.send()
    await end
    expect(xhr.responseText).toBe('own mocked')
  })

  test('calls listeners and attributes with the app’s object', async () => {
    await start()
    const xhr = new XMLHttpRequest()
    const seen: unknown[] = []
    const loaded = new Promise<void>((resolve) => {
      xhr.onload = function (this: unknown, event) {
        seen.push(this, event.target, event.loaded, event instanceof ProgressEvent)
        resolve()
      }
    })
    xhr.onprogress = () => seen.push('never: taken away')
    xhr.onprogress = null
    xhr.open('GET', '/mocked')
    xhr.send()
    await loaded
    expect(seen).toEqual([xhr, xhr, 6, true])
  })

  test('uses methods that were set on its prototype or the platform’s', async () => {
    const calls: string[] = []
    const { open } = Native.prototype as { open: (...args: unknown[]) => void }
    Reflect.set(Native.prototype, 'open', function (this: XMLHttpRequest, ...args: unknown[]) {
      calls.push('platform')
      Reflect.apply(open, this, args)
    })
    try {
      await start()
      const { prototype } = XMLHttpRequest
      const own = prototype.open as (...args: unknown[]) => void
      Reflect.set(prototype, 'open', function (this: XMLHttpRequest, ...args: unknown[]) {
        calls.push('page')
        Reflect.apply(own, this, args)
      })
      expect((await send({ path: '/mocked' })).responseText).toBe('mocked')
      expect(calls).toEqual(['page', 'platform'])
    } finally {
      Reflect.set(Native.prototype, 'open', open)
    }
  })
})

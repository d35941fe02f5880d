import { expect, test } from 'vitest'

import { delay } from '../../../core/responses/delay.ts'
import { HttpResponse } from '../../../core/responses/http-response.ts'
import { http } from '../../../http/http.ts'
import { getGate } from '../../gate/gate.ts'
import { describeSources } from '../../testing/describe-sources.ts'
import { ended, record, send } from './testing/send.ts'

const invalidState = expect.objectContaining({ name: 'InvalidStateError' }) as Error

/** The calls that are refused after send(), with the first state in which they are refused. */
const refusals: [name: string, act: (xhr: XMLHttpRequest) => void, from: number][] = [
  ['send', (xhr) => xhr.send(), 1],
  ['setRequestHeader', (xhr) => xhr.setRequestHeader('X-Late', '1'), 1],
  ['withCredentials', (xhr) => (xhr.withCredentials = true), 1],
  ['responseType', (xhr) => (xhr.responseType = 'blob'), 3],
  ['overrideMimeType', (xhr) => xhr.overrideMimeType('text/x'), 3],
]

/** Waits until the service worker knows the new handlers. Until then, requests are held, and their events come later. */
async function untilAllPass(): Promise<void> {
  await expect.poll(() => getGate()?.state).toBe('open')
}

describeSources('the states of an XMLHttpRequest', ({ isWorker, use }) => {
  test('are those of the platform before open() and after it', () => {
    const xhr = new XMLHttpRequest()
    expect([xhr.readyState, xhr.status, xhr.responseText, xhr.responseURL]).toEqual([0, 0, '', ''])
    expect(() => xhr.send()).toThrow(invalidState)
    expect(() => xhr.setRequestHeader('X-One', '1')).toThrow(invalidState)
    expect(() => xhr.open('TRACE', '/x')).toThrow(expect.objectContaining({ name: 'SecurityError' }) as Error)
    expect(() => xhr.open('GET', 'http://[')).toThrow(expect.objectContaining({ name: 'SyntaxError' }) as Error)
    const log = record(xhr)
    xhr.open('GET', '/x')
    xhr.open('GET', '/y')
    expect([xhr.readyState, ...log]).toEqual([1, 'state 1'])
    expect(() => xhr.setRequestHeader('no name', '1')).toThrow(
      expect.objectContaining({ name: 'SyntaxError' }) as Error,
    )
    xhr.abort()
    expect([xhr.readyState, ...log]).toEqual([1, 'state 1'])
  })

  test('are dispatched in their order, the first immediately', async () => {
    use(http.get('/x', () => HttpResponse.text('text')))
    await untilAllPass()
    const xhr = new XMLHttpRequest()
    const log = record(xhr)
    xhr.open('GET', '/x')
    const end = ended(xhr)
    xhr.send()
    expect([...log, xhr.readyState]).toEqual(['state 1', 'loadstart', 1])
    await end
    expect(log.slice(2)).toEqual(['state 2', 'state 3', 'state 4', 'load', 'loadend'])
  })

  test.each(refusals)('refuse %s if it is called too late', async (_name, act, from) => {
    use(http.get('/x', () => HttpResponse.text('text')))
    const refused: number[] = []
    const note = (xhr: XMLHttpRequest): void => {
      try {
        act(xhr)
      } catch (error) {
        if ((error as Error).name === 'InvalidStateError') refused.push(xhr.readyState)
      }
    }
    const xhr = await send({
      prepare(each) {
        each.addEventListener('loadstart', () => note(each))
        each.addEventListener('readystatechange', () => note(each))
      },
    })
    note(xhr)
    expect([...new Set(refused)]).toEqual([1, 2, 3, 4].filter((state) => state >= from))
  })

  test.each([1, 2, 3, 4])('end at an abort in state %i', async (state) => {
    use(http.get('/x', () => HttpResponse.text('text')))
    const xhr = new XMLHttpRequest()
    xhr.open('GET', '/x')
    const log = record(xhr)
    const aborted = new Promise<void>((resolve) => {
      const abort = (): void => {
        if (xhr.readyState !== state) return
        log.push('abort()')
        xhr.abort()
        resolve()
      }
      xhr.addEventListener('loadstart', abort, { once: true })
      xhr.addEventListener('readystatechange', () => {
        if (!log.includes('abort()')) abort()
      })
    })
    xhr.send()
    await aborted
    expect([xhr.readyState, xhr.status, xhr.responseText, xhr.getAllResponseHeaders()]).toEqual([0, 0, '', ''])
    const end = state === 4 ? [] : ['state 4', 'abort', 'loadend']
    expect(log.slice(log.indexOf('abort()') + 1)).toEqual(end)
  })

  test('start again when open() is called again, independent of the first request', async () => {
    let answer: (() => void) | undefined
    use(
      http.get('/first', async () => {
        await new Promise<void>((resolve) => (answer = resolve))
        return HttpResponse.text('first')
      }),
      http.get('/second', () => HttpResponse.text('second')),
    )
    await untilAllPass()
    const xhr = new XMLHttpRequest()
    xhr.open('GET', '/first')
    xhr.setRequestHeader('X-First', '1')
    xhr.send()
    const log = record(xhr)
    await expect.poll(() => answer).toBeDefined()
    xhr.open('GET', '/second')
    expect([xhr.readyState, ...log]).toEqual([1])
    const end = ended(xhr)
    xhr.send()
    answer?.()
    await end
    expect([xhr.responseText, xhr.responseURL]).toEqual(['second', new URL('/second', location.href).href])
    expect(log).toEqual(['loadstart', 'state 2', 'state 3', 'state 4', 'load', 'loadend'])
    xhr.open('GET', '/third')
    expect([log.at(-1), xhr.status, xhr.responseText]).toEqual(['state 1', 0, ''])
  })

  test('are those of the second request, if the app calls open() again when the first one ends', async () => {
    use(http.get('/x/:id', ({ params }) => HttpResponse.text(String(params.id))))
    const xhr = new XMLHttpRequest()
    const texts: string[] = []
    const done = new Promise<void>((resolve) => {
      xhr.addEventListener('load', () => {
        texts.push(xhr.responseText)
        if (texts.length === 3) {
          resolve()
          return
        }
        xhr.open('GET', `/x/${texts.length}`)
        xhr.send()
      })
    })
    xhr.open('GET', '/x/0')
    xhr.send()
    await done
    expect(texts).toEqual(['0', '1', '2'])
  })

  test('end at the timeout while the body arrives', async () => {
    const cancelled = new Promise<unknown>((resolve) => {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(4)),
        cancel: resolve,
      })
      use(http.get('/x', () => new HttpResponse(body)))
    })
    let log: string[] = []
    const xhr = await send({
      prepare(each) {
        log = record(each)
        each.timeout = 200
      },
    })
    expect(log.slice(-3)).toEqual(['state 4', 'timeout', 'loadend'])
    expect([xhr.status, xhr.response]).toEqual([0, ''])
    await cancelled
  })

  test('end at a timeout that is set later, counted from the start', async () => {
    use(http.get('/x', () => delay('infinite') as never))
    const xhr = new XMLHttpRequest()
    xhr.open('GET', '/x')
    xhr.timeout = 60_000
    const log = record(xhr)
    const end = ended(xhr)
    xhr.send()
    xhr.timeout = 20
    expect(xhr.timeout).toBe(20)
    await end
    expect(log.slice(-3)).toEqual(['state 4', 'timeout', 'loadend'])
  })

  test('end with an error if the body fails', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(4))
        setTimeout(() => controller.error(new Error('broken')), 20)
      },
    })
    use(http.get('/x', () => new HttpResponse(body)))
    let log: string[] = []
    const xhr = await send({ prepare: (each) => (log = record(each)) })
    // Chromium reports an abort if the body of a service worker's response fails.
    expect(log.slice(-3)).toEqual(['state 4', isWorker ? 'abort' : 'error', 'loadend'])
    expect([xhr.status, xhr.response]).toEqual([0, ''])
  })

  // Chromium does not report the abort to a service worker (docs/service-worker.md).
  test.skipIf(isWorker)('of an aborted request abort the signal of its handler', async () => {
    const heard = new Promise<unknown>((resolve) => {
      use(
        http.get('/x', async ({ request }) => {
          request.signal.addEventListener('abort', () => resolve((request.signal.reason as Error).name))
          xhr.abort()
          await delay('infinite')
        }),
      )
    })
    const xhr = new XMLHttpRequest()
    xhr.open('GET', '/x')
    const end = ended(xhr)
    xhr.send()
    await end
    expect(await heard).toBe('AbortError')
  })
})

describeSources('what an XMLHttpRequest sends', ({ use }) => {
  async function sent(
    body: XMLHttpRequestBodyInit | Document | null,
    contentType?: string,
    method = 'POST',
  ): Promise<unknown> {
    use(
      http.all('/x', async ({ request }) =>
        HttpResponse.json([request.headers.get('content-type'), await request.text()]),
      ),
    )
    const xhr = await send({
      method,
      body,
      prepare(each) {
        if (contentType !== undefined) each.setRequestHeader('Content-Type', contentType)
      },
    })
    return JSON.parse(xhr.responseText) as unknown
  }

  test('as text is UTF-8, and its Content-Type says so', async () => {
    expect(await sent('ü')).toEqual(['text/plain;charset=UTF-8', 'ü'])
    expect(await sent('ü', 'application/json')).toEqual(['application/json', 'ü'])
    expect(await sent('ü', 'text/x;charset=latin1')).toEqual(['text/x;charset=UTF-8', 'ü'])
    expect(await sent('ü', 'text/x; charset=latin1; a=1')).toEqual(['text/x; charset=UTF-8; a=1', 'ü'])
    expect(await sent(new URLSearchParams({ a: 'ü' }))).toEqual([
      'application/x-www-form-urlencoded;charset=UTF-8',
      'a=%C3%BC',
    ])
  })

  test('as bytes has no type but that of a Blob', async () => {
    expect(await sent(new TextEncoder().encode('bytes'))).toEqual([null, 'bytes'])
    expect(await sent(new Blob(['blob'], { type: 'text/x' }))).toEqual(['text/x', 'blob'])
    expect(await sent(new Blob(['blob']))).toEqual([null, 'blob'])
  })

  test('as a document is its text', async () => {
    const xml = new DOMParser().parseFromString('<a>ü</a>', 'text/xml')
    expect(await sent(xml)).toEqual(['application/xml;charset=UTF-8', '<a>ü</a>'])
    const html = new DOMParser().parseFromString('<!doctype html><p>ü<br>', 'text/html')
    expect(await sent(html)).toEqual([
      'text/html;charset=UTF-8',
      '<!DOCTYPE html><html><head></head><body><p>ü<br></p></body></html>',
    ])
  })

  test('by GET has no body', async () => {
    expect(await sent('text', undefined, 'GET')).toEqual([null, ''])
  })

  test('has its value at the time of the call', async () => {
    const form = new FormData()
    form.set('a', 'before')
    const bytes = new TextEncoder().encode('before')
    for (const [body, change] of [
      [form, () => form.set('a', 'after')],
      [bytes, () => bytes.fill(0)],
    ] as const) {
      const answer = sent(body)
      change()
      expect(JSON.stringify(await answer)).toContain('before')
    }
  })

  test('has the name and password of open() for its authorization', async () => {
    use(http.get('/x', ({ request }) => HttpResponse.json([request.url, request.headers.get('authorization')])))
    const ask = async (path: string, user: string, password: string, given?: string): Promise<unknown> => {
      const xhr = new XMLHttpRequest()
      xhr.open('GET', path, true, user, password)
      if (given !== undefined) xhr.setRequestHeader('Authorization', given)
      const end = ended(xhr)
      xhr.send()
      await end
      return JSON.parse(xhr.responseText) as unknown
    }
    const url = new URL('/x', location.href).href
    const text = String.fromCharCode(...new TextEncoder().encode('Ada:sécret'))
    expect(await ask('/x', 'Ada', 'sécret')).toEqual([url, `Basic ${btoa(text)}`])
    expect(await ask('/x', 'Ada', '')).toEqual([url, `Basic ${btoa('Ada:')}`])
    expect(await ask('/x', '%E0%A4%A', '1')).toEqual([url, `Basic ${btoa('%E0%A4%A:1')}`])
    expect(await ask('/x', 'Ada', 'secret', 'Bearer 1')).toEqual([url, 'Bearer 1'])
  })
})

import { delay, http, HttpResponse } from '@understudy/engine'
import { setupServer, type Server } from '@understudy/engine/node'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const json = '{"name":"Grüße"}'
const size = new TextEncoder().encode(json).length

/** The differences of a page's `XMLHttpRequest` from browsers, mocked or not. */
interface Peculiarities {
  /** Default: those of browsers. */
  readonly states?: readonly number[]
  /** Default: yes. */
  readonly readsDocuments?: boolean
  /** Whether `timeout` has any effect. Default: yes. */
  readonly timesOut?: boolean
}

/** Tests what the page's `XMLHttpRequest` does in addition to sending and receiving, as in browsers. */
export function checkXmlHttpRequest(name: string, peculiarities: Peculiarities = {}): void {
  const { states: expectedStates = [1, 2, 3, 4], readsDocuments = true, timesOut = true } = peculiarities

  describe.each([name])('XMLHttpRequest of %s, mocked', () => {
    const server: Server = setupServer()
    beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
    afterEach(() => server.resetHandlers())
    afterAll(() => server.close())

    /** Opens a request, and collects the names of its events; resolves at its end. */
    function open(method: string, path: string): { request: XMLHttpRequest; events: string[]; ended: Promise<number> } {
      const request = new XMLHttpRequest()
      request.open(method, path)
      const events: string[] = []
      for (const type of ['loadstart', 'load', 'error', 'timeout', 'abort', 'loadend'] as const) {
        request.addEventListener(type, () => events.push(type))
      }
      // Resolves with the state at `loadend`, because jsdom then changes it.
      const ended = new Promise<number>((resolve) => {
        request.addEventListener('loadend', () => resolve(request.readyState))
      })
      return { request, events, ended }
    }

    const respond = (): HttpResponse<unknown> =>
      new HttpResponse(json, {
        status: 201,
        statusText: 'Made Up',
        headers: { 'Content-Type': 'application/json', 'Content-Length': String(size), 'X-Mocked': 'yes' },
      })

    test('has all states and events', async () => {
      server.use(http.get('/user', respond))
      const { request, events, ended } = open('GET', '/user')
      const states: number[] = [request.readyState]
      request.addEventListener('readystatechange', () => states.push(request.readyState))
      request.send()
      await ended
      expect(states.filter((state, index) => state !== states[index - 1])).toEqual(expectedStates)
      expect(events).toEqual(['loadstart', 'load', 'loadend'])
      expect([request.status, request.statusText]).toEqual([201, 'Made Up'])
      expect(request.responseURL).toBe(new URL('/user', location.href).href)
      expect(request.getResponseHeader('x-mocked')).toBe('yes')
      expect(request.getAllResponseHeaders()).toMatch(/x-mocked: yes/i)
    })

    test.each<[type: XMLHttpRequestResponseType, read: (response: unknown) => unknown, expected: unknown]>([
      ['', (response) => response, json],
      ['text', (response) => response, json],
      ['json', (response) => response, { name: 'Grüße' }],
      ['arraybuffer', (response) => new TextDecoder().decode(response as ArrayBuffer), json],
      ['blob', (response) => [(response as Blob).size, (response as Blob).type], [size, 'application/json']],
    ])('reads its answer as responseType "%s" says', async (type, read, expected) => {
      server.use(http.get('/user', respond))
      const { request, ended } = open('GET', '/user')
      request.responseType = type
      request.send()
      await ended
      expect(read(request.response)).toEqual(expected)
    })

    test.runIf(readsDocuments)('reads a document', async () => {
      server.use(http.get('/page', () => HttpResponse.html('<!doctype html><title>Grüße</title>')))
      const { request, ended } = open('GET', '/page')
      request.responseType = 'document'
      request.send()
      await ended
      expect((request.response as Document).title).toBe('Grüße')
    })

    test('dispatches progress events of a download', async () => {
      server.use(http.get('/user', respond))
      const { request, ended } = open('GET', '/user')
      const told: [number, number, boolean][] = []
      request.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
        told.push([loaded, total, lengthComputable])
      })
      request.send()
      await ended
      expect(told.at(-1)).toEqual([size, size, true])
    })

    test.runIf(timesOut)('times out, and runs the finalizers of its resolver', async () => {
      const ended = new Promise<void>((resolve) => {
        server.use(
          http.get('/slow', async ({ finalize }) => {
            finalize(resolve)
            await delay('infinite')
          }),
        )
      })
      const call = open('GET', '/slow')
      call.request.timeout = 20
      call.request.send()
      expect([await call.ended, call.request.status]).toEqual([4, 0])
      expect(call.events).toEqual(['loadstart', 'timeout', 'loadend'])
      await ended
    })

    test('is aborted, and may be used again', async () => {
      const asked = Promise.withResolvers<void>()
      const finalized = Promise.withResolvers<void>()
      server.use(
        http.get('/slow', async ({ finalize }) => {
          finalize(() => finalized.resolve())
          asked.resolve()
          await delay('infinite')
        }),
        http.get('/user', respond),
      )
      const { request, events } = open('GET', '/slow')
      request.send()
      await asked.promise
      request.abort()
      await finalized.promise
      expect(events).toEqual(['loadstart', 'abort', 'loadend'])
      const again = new Promise<void>((resolve) => {
        request.addEventListener('load', () => resolve())
      })
      request.open('GET', '/user')
      request.send()
      await again
      expect(request.responseText).toBe(json)
    })

    test('fails at a network error', async () => {
      server.use(http.get('/user', () => HttpResponse.error()))
      const { request, events, ended } = open('GET', '/user')
      request.send()
      expect([await ended, request.status, request.responseText]).toEqual([4, 0, ''])
      expect(events).toEqual(['loadstart', 'error', 'loadend'])
    })

    test('has the URL of a redirect’s target', async () => {
      server.use(
        http.get('/old', () => HttpResponse.redirect('/user')),
        http.get('/user', respond),
      )
      const { request, ended } = open('GET', '/old')
      request.send()
      await ended
      expect([request.responseURL, request.responseText]).toEqual([new URL('/user', location.href).href, json])
    })
  })
}

import { afterEach, describe, expect, inject, test, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import type { ServerSentEventClient } from '../../sse/event-stream-client.ts'
import { sse } from '../../sse/sse.ts'
import type { PageScope } from '../gate/gate.ts'
import { installGate } from '../gate/install-gate.ts'
import { setupWorker, type SetupWorker } from '../start/setup-worker.ts'
import type { StartOptions } from '../start/start-options.ts'

const upstream = inject('upstream')
const native = EventSource

let worker: SetupWorker | undefined
afterEach(() => {
  worker?.stop()
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

const quiet: StartOptions = { quiet: true, onUnhandledRequest: 'bypass' }

function record(source: EventSource, ...types: string[]): unknown[] {
  const log: unknown[] = []
  for (const type of ['open', 'error', 'message', ...types]) {
    source.addEventListener(type, (event) => {
      log.push('data' in event ? [type, event.data, event.lastEventId] : `${type} ${source.readyState}`)
    })
  }
  return log
}

describe.each([
  ['the service worker', true],
  ['the page itself', false],
])('an EventSource answered by %s', (_name, hasServiceWorker) => {
  async function start(...handlers: Handler[]): Promise<void> {
    if (!hasServiceWorker) {
      vi.spyOn(console, 'info').mockImplementation(() => {})
      Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
    }
    worker = setupWorker(...handlers)
    await worker.start(quiet)
    expect(EventSource).not.toBe(native)
  }

  test('gets messages and named events, with their ids', async () => {
    await start(
      sse<{ message: string; joined: { name: string } }>('/events/:topic', ({ client, params }) => {
        client.send({ id: '1', data: `${String(params.topic)}\nin two lines` })
        client.send({ event: 'joined', data: { name: 'Ada' } })
      }),
    )
    const source = new EventSource('/events/news', { withCredentials: true })
    const log = record(source, 'joined')
    await vi.waitFor(() => expect(log).toHaveLength(3))
    expect(log).toEqual(['open 1', ['message', 'news\nin two lines', '1'], ['joined', '{"name":"Ada"}', '1']])
    expect(source.url).toBe(new URL('/events/news', location.href).href)
    source.close()
  })

  test('connects again when the stream ends, and stops at a 204', async () => {
    await start(
      sse('/events', ({ client, request }) => {
        const lastEventId = request.headers.get('last-event-id')
        if (lastEventId === '2') throw new HttpResponse(null, { status: 204 })
        client.send({ retry: 5, id: String(Number(lastEventId) + 1), data: `after ${lastEventId}` })
        client.close()
      }),
    )
    const source = new EventSource('/events')
    const log = record(source)
    await vi.waitFor(() => expect(source.readyState).toBe(EventSource.CLOSED))
    expect(log).toEqual([
      'open 1',
      ['message', 'after null', '1'],
      'error 0',
      'open 1',
      ['message', 'after 1', '2'],
      'error 0',
      'error 2',
    ])
  })

  test('is closed when the handler breaks the connection, as with MSW', async () => {
    const clients: ServerSentEventClient[] = []
    await start(
      sse('/events', ({ client, url }) => {
        clients.push(client)
        if (url.searchParams.has('first')) client.error()
        else client.send({ retry: 5, data: String(clients.length) })
      }),
    )
    const source = new EventSource('/events#hash')
    const other = new EventSource('/events')
    const log = record(source)
    const logOfOther = record(other)
    await vi.waitFor(() => expect([log.length, logOfOther.length]).toEqual([2, 2]))
    clients[0]?.error()
    await vi.waitFor(() => expect(log.length + logOfOther.length).toBe(5))
    expect(new Set([source.readyState, other.readyState])).toEqual(new Set([1, 2]))
    // The stream of the other one goes on, and connects again when it ends.
    clients[1]?.close()
    await vi.waitFor(() => expect(clients).toHaveLength(3))
    source.close()
    other.close()

    const refused = new EventSource('/events?first')
    const logOfRefused = record(refused)
    await vi.waitFor(() => expect(logOfRefused).toEqual(['error 2']))
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
    expect(clients).toHaveLength(4)
  })

  test('an error of a stream that fetch reads closes no EventSource', async () => {
    let count = 0
    // No other test has this path: when the source is closed, its next request may be on its way.
    await start(
      sse('/ended', ({ client }) => {
        count += 1
        client.send({ retry: 5, data: 'one' })
        if (count === 1) client.error()
        else client.close()
      }),
    )
    await expect(
      fetch('/ended', { headers: { Accept: 'text/event-stream' } }).then((response) => response.text()),
    ).rejects.toThrow(TypeError)
    const source = new EventSource('/ended')
    await vi.waitFor(() => expect(count).toBeGreaterThan(2))
    source.close()
  })

  test('connects again after an error of the connection', async () => {
    const clients: ServerSentEventClient[] = []
    await start(
      sse('/events', ({ client }) => {
        clients.push(client)
        client.send({ retry: 5, data: String(clients.length) })
      }),
    )
    const source = new EventSource('/events')
    const log = record(source)
    await vi.waitFor(() => expect(log).toEqual(['open 1', ['message', '1', '']]))
    clients[0]?.['~break']()
    await vi.waitFor(() => expect(log.slice(2)).toEqual(['error 0', 'open 1', ['message', '2', '']]))
    source.close()
  })

  test('aborts the signal and runs finalizers when it is closed', async () => {
    const ended: string[] = []
    await start(
      sse('/events', ({ client, request, finalize }) => {
        const timer = setInterval(() => client.send({ data: 'tick' }), 5)
        request.signal.addEventListener('abort', () => {
          clearInterval(timer)
          ended.push('aborted')
        })
        finalize(() => ended.push('finalized'))
      }),
    )
    const source = new EventSource('/events')
    await new Promise((resolve) => source.addEventListener('message', resolve, { once: true }))
    expect(ended).toEqual([])
    source.close()
    await vi.waitFor(() => expect(ended.toSorted()).toEqual(['aborted', 'finalized']))
  })

  test('reaches the real server through its handler', async () => {
    await start(
      sse(`${upstream}/events`, ({ client, server }) => {
        server.connect().addEventListener('message', (event) => {
          if (event.data !== 'one') return
          event.preventDefault()
          client.send({ data: 'mocked' })
        })
      }),
    )
    const source = new EventSource(`${upstream}/events`)
    const log = record(source, 'joined')
    await vi.waitFor(() => expect(log).toHaveLength(4))
    expect(log).toEqual([
      'open 1',
      ['message', 'mocked', ''],
      ['message', 'two\nlines', '1'],
      ['joined', '{"name":"Ada"}', '2'],
    ])
    source.close()
  })

  test('reaches the real server if no handler matches', async () => {
    await start(sse('/other', () => {}))
    const source = new EventSource(`${upstream}/events`)
    expect(Object.getPrototypeOf(source) === EventSource.prototype).toBe(true)
    expect(source).toBeInstanceOf(native)
    const log = record(source, 'joined')
    await vi.waitFor(() => expect(log).toHaveLength(4))
    expect(log.at(-1)).toEqual(['joined', '{"name":"Ada"}', '2'])
    source.close()
  })

  test('reaches the handlers if it was created while the gate was closed', async () => {
    installGate(globalThis as PageScope).hold()
    const source = new EventSource('/events')
    const log = record(source)
    await start(sse('/events', ({ client }) => client.send({ data: 'mocked' })))
    await vi.waitFor(() => expect(log).toEqual(['open 1', ['message', 'mocked', '']]))
    expect(source).toBeInstanceOf(EventSource)
    source.close()
    expect(source.readyState).toBe(2)
  })

  test.each([
    ['mocked', '/events'],
    ['real', `${upstream}/events`],
  ])('has members that the app adds, and may be of a class of the app: %s', async (_kind, url) => {
    await start(sse('/events', ({ client }) => client.send({ data: 'mocked' })))
    class Counted extends EventSource {
      closed = 0
      override close(): void {
        this.closed += 1
        super.close()
      }
    }
    Object.assign(EventSource.prototype, { added: () => 'added' })
    const source = new Counted(url)
    expect((source as unknown as { added(): string }).added()).toBe('added')
    expect(source).toBeInstanceOf(Counted)
    expect(source).toBeInstanceOf(EventSource)
    expect(Object.prototype.toString.call(source)).toBe('[object EventSource]')
    expect(source.url).toBe(new URL(url, location.href).href)
    await new Promise((resolve) => source.addEventListener('message', resolve, { once: true }))
    source.close()
    expect([source.closed, source.readyState]).toEqual([1, 2])
  })

  test('is the platform’s class again when mocking stops', async () => {
    await start(sse(`${upstream}/events`, ({ client }) => client.send({ data: 'mocked' })))
    const Taken = EventSource
    worker?.stop()
    expect(EventSource).toBe(native)
    const source = new Taken(`${upstream}/events`)
    expect(source).toBeInstanceOf(native)
    source.close()
    expect(source.readyState).toBe(2)
  })

  test('fetch reads the same stream', async () => {
    await start(sse('/events', ({ client }) => client.send({ data: 'one' })))
    const response = await fetch('/events', { headers: { Accept: 'text/event-stream' } })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('data: one\n\n')
    await reader?.cancel()
  })
})

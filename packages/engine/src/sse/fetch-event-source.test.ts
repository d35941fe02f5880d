import { describe, expect, test, vi } from 'vitest'

import { createEventSourceClass } from './event-source-class.ts'

/** A `fetch` that returns these responses one after the other, and records its arguments. */
function createFetch(...answers: (Response | (() => Response | Promise<Response>))[]): {
  fetch: typeof globalThis.fetch
  requests: Request[]
} {
  const requests: Request[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push(new Request(input, init))
    const next = answers.shift() ?? (() => Promise.reject(new TypeError('No more answers.')))
    return typeof next === 'function' ? next() : next
  }
  return { fetch, requests }
}

function stream(text: string, init: ResponseInit = {}): Response {
  return new Response(text, { headers: { 'Content-Type': 'text/event-stream' }, ...init })
}

/** A stream that stays open. */
function openStream(text: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
}

function record(source: EventSource, ...types: string[]): unknown[] {
  const log: unknown[] = []
  for (const type of ['open', 'error', 'message', ...types]) {
    source.addEventListener(type, (event) => {
      log.push('data' in event ? [type, event.data, event.lastEventId] : `${type} ${source.readyState}`)
    })
  }
  return log
}

const url = 'https://example.com/events'

test('takes null for options, as the platform does', () => {
  const { fetch } = createFetch()
  const source = new (createEventSourceClass(fetch))(url, null as never)
  expect(source.withCredentials).toBe(false)
  source.close()
})

test('opens, dispatches messages and named events', async () => {
  const { fetch, requests } = createFetch(
    openStream('id: 1\ndata: one\n\nevent: joined\ndata: two\ndata: lines\n\n: comment\n\n'),
  )
  const source = new (createEventSourceClass(fetch))(url, { withCredentials: true })
  expect([source.readyState, source.url, source.withCredentials]).toEqual([0, url, true])
  const log = record(source, 'joined')
  await vi.waitFor(() => expect(log).toHaveLength(3))
  expect(log).toEqual(['open 1', ['message', 'one', '1'], ['joined', 'two\nlines', '1']])
  const [request] = requests
  expect(request?.headers.get('accept')).toBe('text/event-stream')
  expect(request?.headers.has('last-event-id')).toBe(false)
  expect(request?.credentials).toBe('include')
  expect(request?.cache).toBe('no-store')
  source.close()
  expect(source.readyState).toBe(2)
  expect(request?.signal.aborted).toBe(true)
})

test('an event has the origin of the response', async () => {
  const { fetch } = createFetch(openStream('data: one\n\n'))
  const source = new (createEventSourceClass(fetch))(url)
  const event = await new Promise<MessageEvent>((resolve) => {
    source.onmessage = resolve
  })
  expect(event).toBeInstanceOf(MessageEvent)
  expect([event.origin, event.target, event.cancelable]).toEqual(['https://example.com', source, false])
  source.close()
})

describe('connects again', () => {
  test('after the end of the stream, with the last id and after the stream’s retry time', async () => {
    const { fetch, requests } = createFetch(
      stream('retry: 5\nid: käse\ndata: one\n\n'),
      stream('data: two\n\nid\n\n'),
      openStream('data: three\n\n'),
    )
    const source = new (createEventSourceClass(fetch))(url)
    const log = record(source)
    await vi.waitFor(() => expect(log).toContainEqual(['message', 'three', '']))
    source.close()
    expect(log).toEqual([
      'open 1',
      ['message', 'one', 'käse'],
      'error 0',
      'open 1',
      ['message', 'two', 'käse'],
      'error 0',
      'open 1',
      ['message', 'three', ''],
    ])
    // A header contains bytes: these are "käse" in UTF-8.
    expect(requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, 'kÃ¤se', null])
  })

  test.each([
    ['a network error', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a network error as a response', () => Response.error()],
    [
      'a stream that breaks',
      () => {
        const body = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) })
        return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
      },
    ],
  ])('after %s', async (_name, failure) => {
    const { fetch } = createFetch(stream('retry: 5\n\n'), failure, openStream('data: again\n\n'))
    const source = new (createEventSourceClass(fetch))(url)
    const log = record(source)
    await vi.waitFor(() => expect(log).toContainEqual(['message', 'again', '']))
    expect(log.filter((entry) => entry === 'error 0')).toHaveLength(2)
    source.close()
  })

  test('after the longest time of a timer, if the stream asks for a longer one', async () => {
    const schedule = vi.spyOn(globalThis, 'setTimeout')
    const { fetch } = createFetch(stream('retry: 3000000000\n\n'))
    const source = new (createEventSourceClass(fetch))(url)
    await vi.waitFor(() => expect(schedule).toHaveBeenCalledWith(expect.any(Function), 2_147_483_647))
    source.close()
    schedule.mockRestore()
  })

  test('not if it was closed before', async () => {
    const { fetch, requests } = createFetch(stream('retry: 1\n\n'))
    const source = new (createEventSourceClass(fetch))(url)
    await new Promise<void>((resolve) => {
      source.onerror = () => {
        source.close()
        resolve()
      }
    })
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
    expect(requests).toHaveLength(1)
  })
})

test.each([
  ['another status', () => stream('data: one\n\n', { status: 500 })],
  ['no content', () => new Response(null, { status: 204 })],
  ['another type', () => new Response('data: one\n\n', { headers: { 'Content-Type': 'text/event-streams' } })],
])('fails permanently with %s', async (_name, createResponse) => {
  const { fetch, requests } = createFetch(createResponse)
  const source = new (createEventSourceClass(fetch))(url)
  const log = record(source)
  await vi.waitFor(() => expect(log).toEqual(['error 2']))
  expect(source.readyState).toBe(2)
  expect(requests).toHaveLength(1)
})

test('dispatches nothing once it is closed', async () => {
  const { fetch } = createFetch(openStream('data: one\n\ndata: two\n\n'))
  const source = new (createEventSourceClass(fetch))(url)
  const log = record(source)
  source.addEventListener('message', () => source.close())
  await vi.waitFor(() => expect(log).toHaveLength(2))
  await Promise.resolve()
  expect(log).toEqual(['open 1', ['message', 'one', '']])
})

test('handlers on attributes are replaced and removed', async () => {
  const { fetch } = createFetch(openStream('data: one\n\ndata: two\n\n'))
  const source = new (createEventSourceClass(fetch))(url)
  const log: unknown[] = []
  expect([source.onopen, source.onmessage, source.onerror]).toEqual([null, null, null])
  source.onopen = function () {
    log.push(this === source)
  }
  source.onmessage = () => {
    log.push('first')
    source.onmessage = ({ data }) => log.push(data)
  }
  await vi.waitFor(() => expect(log).toEqual([true, 'first', 'two']))
  source.onmessage = null
  expect(source.onmessage).toBeNull()
  source.close()
})

test('has the members of the platform’s class', () => {
  const Class = createEventSourceClass(() => new Promise(() => {}))
  expect([Class.name, Class.CONNECTING, Class.OPEN, Class.CLOSED]).toEqual(['EventSource', 0, 1, 2])
  const source = new Class(url)
  expect([source.CONNECTING, source.OPEN, source.CLOSED]).toEqual([0, 1, 2])
  expect(Object.prototype.toString.call(source)).toBe('[object EventSource]')
  expect(source).toBeInstanceOf(EventTarget)
  source.close()
  expect(() => new Class('https://[')).toThrow(expect.objectContaining({ name: 'SyntaxError' }))
})

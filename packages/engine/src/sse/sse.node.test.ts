import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { EventSource as FetchedEventSource } from 'eventsource'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'

import { getResponse } from '../core/network/get-response.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { setupServer } from '../node/setup-server.ts'
import { EventStreamParser, type StreamedEvent } from './event-stream-parser.ts'
import { sse } from './sse.ts'

const upstream = inject('upstream')
const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const url = 'http://example.com/events'

describe('the eventsource package', () => {
  test('opens, gets named events, connects again with the last id, and stops', async () => {
    server.use(
      sse<{ message: string; joined: { name: string } }>(url, ({ client, request }) => {
        const lastEventId = request.headers.get('last-event-id')
        if (lastEventId === '2') throw new HttpResponse(null, { status: 204 })
        client.send({ retry: 5 })
        client.send({ id: '1', data: 'one\ntwo' })
        client.send({ id: '2', event: 'joined', data: { name: 'Ada' } })
        client.close()
      }),
    )
    const log: unknown[] = []
    const source = new FetchedEventSource(url)
    source.addEventListener('open', () => log.push('open'))
    source.addEventListener('message', ({ data, lastEventId }) => log.push([data, lastEventId]))
    source.addEventListener('joined', ({ data, lastEventId }) => log.push([data, lastEventId]))
    source.addEventListener('error', () => log.push(`error ${source.readyState}`))
    await vi.waitFor(() => expect(source.readyState).toBe(source.CLOSED))
    expect(log).toEqual(['open', ['one\ntwo', '1'], ['{"name":"Ada"}', '2'], 'error 0', 'error 2'])
  })

  test('a client that leaves aborts the signal, so that timers can be cleared', async () => {
    const cleared = vi.fn<() => void>()
    const finalized = vi.fn<() => void>()
    server.use(
      sse(url, ({ client, request, finalize }) => {
        const timer = setInterval(() => client.send({ data: 'tick' }), 1)
        request.signal.addEventListener('abort', () => {
          clearInterval(timer)
          cleared()
        })
        finalize(finalized)
      }),
    )
    const source = new FetchedEventSource(url)
    await new Promise((resolve) => source.addEventListener('message', resolve))
    expect(cleared).not.toHaveBeenCalled()
    source.close()
    await vi.waitFor(() => expect(cleared).toHaveBeenCalledOnce())
    await vi.waitFor(() => expect(finalized).toHaveBeenCalledOnce())
  })

  test('goes to the real server and back', async () => {
    const real = `${upstream}/events`
    server.use(
      sse(real, ({ client, server: realServer }) => {
        realServer.connect().addEventListener('message', (event) => {
          if (event.data !== 'one') return
          event.preventDefault()
          client.send({ data: 'mocked' })
        })
      }),
    )
    const log: unknown[] = []
    const source = new FetchedEventSource(real)
    for (const type of ['message', 'joined']) source.addEventListener(type, ({ data }) => log.push(data))
    await vi.waitFor(() => expect(log).toEqual(['mocked', 'two\nlines', '{"name":"Ada"}']))
    source.close()
  })
})

test('fetch reads a stream while it arrives, and aborts it', async () => {
  const aborted = vi.fn<() => void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.use(
    sse(url, async ({ client, request }) => {
      request.signal.addEventListener('abort', aborted)
      client.send({ data: 'one' })
      await promise
      client.send({ data: 'two' })
    }),
  )
  const controller = new AbortController()
  const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: controller.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('data: one\n\n')
  resolve()
  expect((await reader?.read())?.value).toBe('data: two\n\n')
  controller.abort()
  await expect(reader?.read()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  await vi.waitFor(() => expect(aborted).toHaveBeenCalledOnce())
})

test("Node's own EventSource, with its flag", () => {
  const script = `
    import { setupServer } from '@understudy/engine/node'
    import { sse } from '@understudy/engine'
    const server = setupServer(sse('${url}', ({ client }) => client.send({ id: '1', event: 'joined', data: 'Ada' })))
    server.listen()
    const source = new EventSource('${url}')
    source.addEventListener('joined', ({ data, lastEventId }) => {
      console.log(data, lastEventId)
      source.close()
      server.close()
    })
  `
  const { stdout } = spawnSync(
    process.execPath,
    ['--experimental-eventsource', '--conditions=@understudy/source', '--input-type=module', '--eval', script],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  )
  expect(stdout).toBe('Ada 1\n')
})

test('an id that the real server removes is removed for the client, too', async () => {
  const body = 'id: 5\ndata: a\n\nid\ndata: b\n\ndata: c\n\n'
  const real = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/event-stream')
    response.end(body)
  }).listen(0)
  await once(real, 'listening')
  const realUrl = `http://localhost:${(real.address() as AddressInfo).port}/events`
  try {
    const handler = sse(realUrl, ({ server: upstreamServer }) => void upstreamServer.connect())
    const request = new Request(realUrl, { headers: { Accept: 'text/event-stream' } })
    const events: StreamedEvent[] = []
    const listener = {
      onEvent: (event: StreamedEvent) => events.push(event),
      onRetry: () => {},
      onLastEventId: () => {},
    }
    const response = await getResponse([handler], request)
    new EventStreamParser(listener, '').push(new Uint8Array((await response?.arrayBuffer()) ?? []))
    expect(events.map(({ data, lastEventId }) => [data, lastEventId])).toEqual([
      ['a', '5'],
      ['b', ''],
      ['c', ''],
    ])
  } finally {
    real.close()
  }
})

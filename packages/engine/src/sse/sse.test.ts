import { describe, expect, test, vi } from 'vitest'

import { getResponse } from '../core/network/get-response.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { countMoved } from '../testing/count-moved.ts'
import type { ServerSentEventClient } from './event-stream-client.ts'
import { sse } from './sse.ts'
import { readAll, readUntil, readerOf, request } from './testing/read-events.ts'

describe('the answered requests', () => {
  const handler = sse('https://example.com/events/:topic?', ({ client, params }) => {
    client.send({ data: params.topic ?? 'all' })
    client.close()
  })

  test('a request that accepts an event stream', async () => {
    const response = await getResponse([handler], request('https://example.com/events/news?x=1'))
    expect(response?.status).toBe(200)
    expect(response?.headers.get('content-type')).toBe('text/event-stream')
    expect(response?.headers.get('cache-control')).toBe('no-cache')
    expect(await readAll(response)).toBe('data: news\n\n')
  })

  test.each(['text/event-stream', 'application/json, text/event-stream;q=0.9', 'TEXT/Event-Stream'])(
    'with Accept: %s',
    async (accept) => {
      const response = await getResponse([handler], request(undefined, { headers: { Accept: accept } }))
      expect(await readAll(response)).toBe('data: all\n\n')
    },
  )

  test.each([
    ['another type', { headers: { Accept: 'application/json' } }],
    ['any type', { headers: { Accept: '*/*' } }],
    ['another method', { method: 'POST', headers: { Accept: 'text/event-stream' } }],
  ])('no request for %s: the next handler answers', async (_name, init) => {
    const fallback = http.all('https://example.com/events', () => HttpResponse.text('http'))
    const response = await getResponse([handler, fallback], new Request('https://example.com/events', init))
    expect(await response?.text()).toBe('http')
  })
})

test('the resolver gets the request', async () => {
  let info: object = {}
  const handler = sse('https://example.com/:room', (given) => {
    info = given
    given.client.close()
  })
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': '5', Cookie: 'a=1' }
  await readAll(await getResponse([handler], request('https://example.com/lobby?q=1', { headers })))
  expect(info).toMatchObject({ params: { room: 'lobby' }, requestId: expect.any(String) })
  const { request: given, url, cookies } = info as { request: Request; url: URL; cookies: object }
  expect(given.headers.get('last-event-id')).toBe('5')
  expect(url.searchParams.get('q')).toBe('1')
  // Pages cannot set cookies by a header.
  expect({ ...cookies }).toEqual('document' in globalThis ? {} : { a: '1' })
})

describe('the start of the stream', () => {
  test('is the first event of an asynchronous resolver', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const handler = sse('*', async ({ client }) => {
      client.send({ data: 'one' })
      await promise
      client.send({ data: 'two' })
      client.close()
    })
    const reader = readerOf(await getResponse([handler], request()))
    expect(await readUntil(reader, '\n\n')).toBe('data: one\n\n')
    resolve()
    expect(await readUntil(reader, '\n\n')).toBe('data: two\n\n')
    expect((await reader.read()).done).toBe(true)
  })

  test('is the end of a resolver that sends nothing: the stream stays open', async () => {
    const clients: ServerSentEventClient[] = []
    const handler = sse('*', ({ client }) => void clients.push(client))
    const reader = readerOf(await getResponse([handler], request()))
    clients[0]?.send({ data: 'later' })
    expect(await readUntil(reader, '\n\n')).toBe('data: later\n\n')
  })

  test.each([
    ['returned', () => new HttpResponse(null, { status: 204 })],
    [
      'thrown',
      () => {
        throw new HttpResponse(null, { status: 204 })
      },
    ],
    [
      'thrown later',
      async () => {
        await Promise.resolve()
        throw new HttpResponse(null, { status: 204 })
      },
    ],
  ])('a response that is %s is the answer', async (_name, resolver) => {
    expect((await getResponse([sse('*', resolver)], request()))?.status).toBe(204)
  })

  test('a thrown error is a 500', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    const handler = sse('*', ({ client }) => {
      client.send({ data: undefined })
    })
    const response = await getResponse([handler], request())
    expect(response?.status).toBe(500)
    expect(await response?.json()).toMatchObject({ message: expect.stringContaining('its data is undefined') })
    expect(print).toHaveBeenCalledWith(expect.stringMatching(/the handler SSE \* \(.*sse\.test\.ts/), expect.anything())
  })

  test('an error of the client before it is a network error', async () => {
    const response = await getResponse([sse('*', ({ client }) => client.error())], request())
    expect(response?.type).toBe('error')
  })
})

describe('the end of the stream', () => {
  test('an error ends it, after the sent events', async () => {
    const handler = sse('*', ({ client }) => {
      client.send({ data: 'one' })
      client.error()
      client.send({ data: 'never' })
    })
    const reader = readerOf(await getResponse([handler], request()))
    expect(await readUntil(reader, '\n\n')).toBe('data: one\n\n')
    await expect(reader.read()).rejects.toThrow('The handler broke the event stream.')
  })

  test('a later error of the resolver ends it too, and the console shows it', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    const error = new Error('broken')
    const handler = sse('*', async ({ client }) => {
      client.send({ data: 'one' })
      await new Promise((resolve) => {
        setTimeout(resolve, 1)
      })
      throw error
    })
    await expect(readAll(await getResponse([handler], request()))).rejects.toThrow(TypeError)
    expect(print).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/Failed to send events: the handler SSE \* .* threw\. .* \(US0620\)$/),
      error,
    )
  })

  test('calls after it have no effect', async () => {
    const handler = sse('*', ({ client }) => {
      client.send({ data: 'one' })
      client.close()
      client.close()
      client.error()
      client.send({ data: 'late' })
    })
    expect(await readAll(await getResponse([handler], request()))).toBe('data: one\n\n')
  })

  test('a client that cancels the stream aborts the signal, and finalizers run', async () => {
    const finalized = vi.fn<() => void>()
    let signal: AbortSignal | undefined
    const handler = sse('*', async ({ client, request: { signal: given }, finalize }) => {
      signal = given
      client.send({ data: 'one' })
      await Promise.resolve()
      finalize(finalized)
    })
    const reader = readerOf(await getResponse([handler], request()))
    await readUntil(reader, '\n\n')
    expect(signal?.aborted).toBe(false)
    expect(finalized).not.toHaveBeenCalled()
    await reader.cancel()
    expect(signal?.aborted).toBe(true)
    expect(finalized).toHaveBeenCalledOnce()
  })

  test('a client that aborts the request aborts the signal', async () => {
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    const handler = sse('*', ({ client, request: { signal: given } }) => {
      signal = given
      client.send({ data: 'one' })
    })
    const reader = readerOf(await getResponse([handler], request(undefined, { signal: controller.signal })))
    await readUntil(reader, '\n\n')
    controller.abort()
    await vi.waitFor(() => expect(signal?.aborted).toBe(true))
    expect((await reader.read()).done).toBe(true)
  })

  test('a handler that ends the stream finalizes it, and its signal is not aborted', async () => {
    const finalized = vi.fn<() => void>()
    let signal: AbortSignal | undefined
    const handler = sse('*', ({ client, request: { signal: given }, finalize }) => {
      signal = given
      finalize(finalized)
      client.close()
    })
    await readAll(await getResponse([handler], request()))
    expect(finalized).toHaveBeenCalledOnce()
    expect(signal?.aborted).toBe(false)
  })
})

test('many events at once take time in proportion to their number', async () => {
  const count = 2000
  const handler = sse('*', ({ client }) => {
    for (let index = 0; index < count; index += 1) client.send({ data: index })
    client.close()
  })
  let text = ''
  const moved = await countMoved(async () => {
    text = await readAll(await getResponse([handler], request()))
  })
  expect(text).toBe(Array.from({ length: count }, (_, index) => `data: ${index}\n\n`).join(''))
  expect(moved).toBeLessThan(count * 20)
})

test('events of the platform are sent unchanged', async () => {
  const handler = sse('*', ({ client }) => {
    client.dispatchEvent(new MessageEvent('message', { data: 'one' }))
    client.dispatchEvent(new MessageEvent('joined', { data: { name: 'Ada' }, lastEventId: '5' }))
    expect(() => client.dispatchEvent(new Event('joined'))).toThrow(
      'Failed to dispatch an event: it is an instance of Event. Pass a MessageEvent, or call client.send().',
    )
    client.dispatchEvent(new Event('close'))
  })
  expect(await readAll(await getResponse([handler], request()))).toBe(
    'data: one\n\nid: 5\nevent: joined\ndata: {"name":"Ada"}\n\n',
  )
  const broken = sse('*', ({ client }) => client.dispatchEvent(new Event('error')))
  expect((await getResponse([broken], request()))?.type).toBe('error')
})

describe('bad input', () => {
  test('an invalid path or resolver', () => {
    // @ts-expect-error a path is text or a RegExp
    expect(() => sse(5, () => {})).toThrow('its first argument is the number 5')
    // @ts-expect-error there is no resolver
    expect(() => sse('/events')).toThrow('its second argument is undefined')
  })

  test('a query in the path is ignored, with a warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    sse('/events?topic=a', () => {})
    // In a page, the warning is printed after the module.
    await Promise.resolve()
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/The handler SSE \/events\?topic=a .*is ignored\. Write sse\('\/events', /),
    )
  })
})

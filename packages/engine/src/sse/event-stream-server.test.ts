import { describe, expect, inject, test, vi } from 'vitest'

import { getResponse } from '../core/network/get-response.ts'
import { sse } from './sse.ts'
import { readAll, readUntil, readerOf, request } from './testing/read-events.ts'

const upstream = inject('upstream')

describe('server.connect()', () => {
  const events = `${upstream}/events`

  test('events are forwarded automatically', async () => {
    const handler = sse('*', ({ server }) => void server.connect())
    const reader = readerOf(await getResponse([handler], request(events)))
    expect(await readUntil(reader, '"Ada"}\n\n')).toBe(
      'retry: 30\n\n' +
        'id: 1\nevent: message\ndata: one\n\n' +
        'id: 1\nevent: message\ndata: two\ndata: lines\n\n' +
        'id: 2\nevent: joined\ndata: {"name":"Ada"}\n\n',
    )
    await reader.cancel()
  })

  test('preventDefault() keeps an event; the handler may send its own', async () => {
    const handler = sse('*', ({ client, server }) => {
      const source = server.connect()
      expect(source.url).toBe(events)
      source.onmessage = (event) => {
        event.preventDefault()
        if (event.data === 'one') client.send({ data: 'ONE' })
      }
    })
    const reader = readerOf(await getResponse([handler], request(events)))
    expect(await readUntil(reader, '"Ada"}\n\n')).toBe(
      'retry: 30\n\ndata: ONE\n\nid: 2\nevent: joined\ndata: {"name":"Ada"}\n\n',
    )
    await reader.cancel()
  })

  test.each(['the client has left', 'the handler has ended the stream'])('sends no request after %s', async (end) => {
    const requested = vi.spyOn(globalThis, 'fetch')
    const over = Promise.withResolvers<void>()
    const late = Promise.withResolvers<EventSource>()
    const handler = sse('*', async ({ client, server }) => {
      client.send({ data: 'hello' })
      if (end === 'the handler has ended the stream') client.close()
      await over.promise
      late.resolve(server.connect())
    })
    const reader = readerOf(await getResponse([handler], request(events)))
    await readUntil(reader, 'hello\n\n')
    if (end === 'the client has left') await reader.cancel()
    else await reader.read()
    over.resolve()
    const source = await late.promise
    expect([source.readyState, source.url]).toEqual([source.CLOSED, events])
    expect(requested).not.toHaveBeenCalled()
  })

  test('sends the app’s request without asking handlers', async () => {
    const handler = sse('*', ({ server }) => void server.connect())
    const headers = { Accept: 'text/event-stream', Authorization: 'Bearer x', 'Last-Event-ID': '7' }
    const response = await getResponse([handler], request(`${upstream}/events/request`, { headers }))
    const reader = readerOf(response)
    const text = await readUntil(reader, '\n\n')
    const sent = JSON.parse(text.slice(text.indexOf('{'))) as Record<string, string>
    expect(sent).toMatchObject({ authorization: 'Bearer x', 'last-event-id': '7' })
    await reader.cancel()
  })

  test('the end of the real stream ends the app’s', async () => {
    const ended = vi.fn<() => void>()
    const handler = sse('*', ({ server }) => server.connect().addEventListener('error', ended))
    expect(await readAll(await getResponse([handler], request(`${upstream}/events/ending`)))).toBe(
      'retry: 20\n\nid: 1\nevent: message\ndata: number 1\n\n',
    )
    expect(ended).toHaveBeenCalledOnce()
  })

  test('a prevented end: the handler’s source connects again, with the last id', async () => {
    const handler = sse('*', ({ server }) => {
      server.connect().addEventListener('error', (event) => event.preventDefault())
    })
    const reader = readerOf(await getResponse([handler], request(`${upstream}/events/ending`)))
    expect(await readUntil(reader, 'number 2\n\n')).toContain('id: 2\n')
    await reader.cancel()
  })

  test.each([
    ['answers with something else', `${upstream}/closes`],
    ['wants no more', `${upstream}/events/none`],
    ['cannot be reached', 'http://localhost:9/events'],
  ])('a server that %s is a network error', async (_name, url) => {
    const handler = sse('*', async ({ server }) => {
      await new Promise((resolve) => {
        server.connect().addEventListener('error', resolve)
      })
    })
    expect((await getResponse([handler], request(url)))?.type).toBe('error')
  })

  test('the real connection ends with the app’s', async () => {
    let source: EventSource | undefined
    const handler = sse('*', ({ server }) => {
      source = server.connect()
    })
    const reader = readerOf(await getResponse([handler], request(events)))
    await readUntil(reader, '\n\n')
    expect(source?.readyState).toBe(1)
    await reader.cancel()
    expect(source?.readyState).toBe(2)
  })
})

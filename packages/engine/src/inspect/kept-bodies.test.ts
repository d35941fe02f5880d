import { describe, expect, test, vi } from 'vitest'

import { http, HttpResponse, sse } from '../index.ts'
import type { Snapshot } from './inspect.ts'
import { ask, inspected, read, start, toThrow } from './testing/inspect-network.ts'

describe('bodies', () => {
  const latest = (): string => inspected.inspection.snapshot().requests[0]?.id ?? ''
  const echo = http.post('/echo', async ({ request }) => HttpResponse.json((await request.json()) as object))
  const post = { method: 'POST', body: '{"name":"Grüße"}', headers: { 'content-type': 'application/json' } }

  test('are copied only on demand', async () => {
    start([echo])
    const clone = vi.spyOn(Response.prototype, 'clone')
    expect(await read('/echo', post)).toBe('200 {"name":"Grüße"}')
    expect(clone).not.toHaveBeenCalled()
    expect(inspected.inspection.bodies(latest())).toEqual({ request: null, response: null })
  })

  test('are kept as text, and stay complete for handler and client', async () => {
    start([echo])
    const end = inspected.inspection.keepBodies()
    expect(await read('/echo', post)).toBe('200 {"name":"Grüße"}')
    const body = { type: 'application/json', size: 18, isComplete: true, text: '{"name":"Grüße"}', base64: null }
    await expect.poll(() => inspected.inspection.bodies(latest())).toEqual({ request: body, response: body })
    const id = latest()
    end()
    await ask('/echo', post)
    expect(inspected.inspection.bodies(latest())).toEqual({ request: null, response: null })
    expect(inspected.inspection.bodies(id).request).toEqual(body)
    inspected.inspection.reset()
    expect(inspected.inspection.bodies(id)).toEqual({ request: null, response: null })
  })

  test('of requests are kept if requests have no property `body`, as in Firefox', async () => {
    const body = vi.spyOn(Request.prototype, 'body', 'get').mockReturnValue(undefined as never)
    start([echo, http.get('/nothing', () => new HttpResponse(null))])
    inspected.inspection.keepBodies()
    expect(await read('/echo', post)).toBe('200 {"name":"Grüße"}')
    await expect
      .poll(() => inspected.inspection.bodies(latest()).request)
      .toMatchObject({ size: 18, text: '{"name":"Grüße"}' })
    await read('/nothing')
    expect(inspected.inspection.bodies(latest())).toEqual({ request: null, response: null })
    body.mockRestore()
  })

  test('that are not text are kept as base64', async () => {
    const bytes = new Uint8Array([0, 255, 128, 10])
    start([http.get('/image', () => HttpResponse.arrayBuffer(bytes, { headers: { 'content-type': 'image/png' } }))])
    inspected.inspection.keepBodies()
    await ask('/image')
    await expect
      .poll(() => inspected.inspection.bodies(latest()).response)
      .toEqual({ type: 'image/png', size: 4, isComplete: true, text: null, base64: 'AP+ACg==' })
  })

  test('are kept up to a limit', async () => {
    start([http.get('/long', () => HttpResponse.text('a'.repeat(1000)))])
    inspected.inspection.keepBodies(10)
    expect(await read('/long')).toBe(`200 ${'a'.repeat(1000)}`)
    await expect
      .poll(() => inspected.inspection.bodies(latest()).response)
      .toEqual({ type: 'text/plain', size: 1000, isComplete: false, text: 'aaaaaaaaaa', base64: null })
  })

  test('are read up to a limit', async () => {
    start([http.get('/long', () => HttpResponse.text('abcdefghij'))])
    inspected.inspection.keepBodies()
    await read('/long')
    await expect.poll(() => inspected.inspection.bodies(latest()).response).toMatchObject({ isComplete: true })
    expect(inspected.inspection.bodies(latest(), 3).response).toMatchObject({
      size: 10,
      isComplete: false,
      text: 'abc',
    })
    expect(inspected.inspection.bodies(latest(), 10).response).toMatchObject({
      size: 10,
      isComplete: true,
      text: 'abcdefghij',
    })
  })

  test('are kept up to 32 MB in total, and the oldest are cut', async () => {
    const size = 2_000_000
    start([http.get('/long', () => HttpResponse.text('a'.repeat(size)))])
    inspected.inspection.keepBodies(size)
    for (let count = 0; count < 20; count += 1) {
      await read('/long')
      await expect.poll(() => inspected.inspection.bodies(latest(), 1).response?.size).toBe(size)
    }
    const lengths = inspected.inspection
      .snapshot()
      .requests.map(({ id }) => inspected.inspection.bodies(id).response)
      .map((body) => [body?.text?.length, body?.size, body?.isComplete])
    const whole = [size, size, true]
    const cut = [65_536, size, false]
    // 15 × 2,000,000 + 5 × 65,536 bytes are below the limit, one whole body more is above it.
    expect(lengths).toEqual([...Array.from({ length: 15 }, () => whole), ...Array.from({ length: 5 }, () => cut)])
    // Bodies of dropped requests do not count.
    inspected.inspection.reset()
    for (let count = 0; count < 16; count += 1) await read('/long')
    await expect
      .poll(() =>
        inspected.inspection
          .snapshot()
          .requests.every(({ id }) => inspected.inspection.bodies(id).response?.isComplete),
      )
      .toBe(true)
  })

  test('of event streams are kept with the time of each part', async () => {
    const sends: (() => void)[] = []
    start([
      sse('/events', ({ client }) => {
        client.send({ data: 'Grüße' })
        sends.push(() => client.send({ data: 'two' }))
      }),
    ])
    inspected.inspection.keepBodies()
    const before = Date.now()
    const outcome = await ask('/events', { headers: { accept: 'text/event-stream' } })
    const first = 'data: Grüße\n\n'
    await expect
      .poll(() => inspected.inspection.bodies(latest()).response)
      .toMatchObject({ text: first, isComplete: false })
    sends[0]?.()
    const text = `${first}data: two\n\n`
    await expect.poll(() => inspected.inspection.bodies(latest()).response?.text).toBe(text)
    const { arrivals = [] } = inspected.inspection.bodies(latest()).response ?? {}
    expect(arrivals.map(({ end }) => end)).toEqual([first.length, text.length])
    for (const { at } of arrivals) expect(at).toBeGreaterThanOrEqual(before)
    if (outcome.type === 'mocked') void outcome.response.body?.cancel()
  })

  test('of event streams are kept until the client leaves, and the handler learns that it left', async () => {
    const left = vi.fn<() => void>()
    start([
      sse('/events', ({ client, request }) => {
        request.signal.addEventListener('abort', left)
        client.send({ data: 'one' })
      }),
    ])
    inspected.inspection.keepBodies()
    const outcome = await ask('/events', { headers: { accept: 'text/event-stream' } })
    const reader = outcome.type === 'mocked' ? outcome.response.body?.getReader() : undefined
    await reader?.read()
    expect(left).not.toHaveBeenCalled()
    await reader?.cancel()
    await expect.poll(() => left.mock.calls.length).toBe(1)
    expect(inspected.inspection.bodies(latest()).response).toMatchObject({ text: 'data: one\n\n', isComplete: false })
  })

  test('of streams are kept until the client leaves, and the source of the stream is cancelled', async () => {
    const cancel = vi.fn<() => void>()
    const body = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
      new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('some')), cancel })
    start([http.get('/stream', () => new HttpResponse(body(), { headers: { 'content-type': 'text/plain' } }))])
    inspected.inspection.keepBodies()
    const outcome = await ask('/stream')
    await (outcome.type === 'mocked' && outcome.response.body?.cancel())
    await expect.poll(() => cancel.mock.calls.length).toBe(1)
    expect(inspected.inspection.bodies(latest()).response).toMatchObject({ text: 'some', size: 4, isComplete: false })
  })

  test('of long streams are complete, independent of the client’s speed', async () => {
    let count = 0
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        count += 1
        controller.enqueue(new Uint8Array(1000))
        if (count === 500) controller.close()
      },
    })
    start([http.get('/stream', () => new HttpResponse(body))])
    inspected.inspection.keepBodies(1_000_000)
    const outcome = await ask('/stream')
    expect(outcome.type === 'mocked' && (await outcome.response.arrayBuffer()).byteLength).toBe(500_000)
    await expect
      .poll(() => inspected.inspection.bodies(latest()).response)
      .toMatchObject({ size: 500_000, isComplete: true })
  })

  test('of event streams accept an event from the panel, until the stream ends', async () => {
    const ends: (() => void)[] = []
    start([
      sse('/events', ({ client }) => {
        client.send({ data: 'one' })
        ends.push(() => client.close())
      }),
    ])
    const outcome = await ask('/events', { headers: { accept: 'text/event-stream' } })
    inspected.inspection.send(latest(), 'a\nb', 'joined')
    inspected.inspection.send(latest(), '')
    expect(() => inspected.inspection.send(latest(), 'a', 'two\nlines')).toThrow('its event is')
    ends[0]?.()
    const text = outcome.type === 'mocked' ? await outcome.response.text() : ''
    expect(text).toBe('data: one\n\nevent: joined\ndata: a\ndata: b\n\ndata: \n\n')
    const closed = 'Failed to send a message to the app: the connection is not open.'
    await expect.poll(() => toThrow(() => inspected.inspection.send(latest(), 'late'))).toContain(closed)
  })

  test('of streams are kept as they arrive, and subscribers are called', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>()
    const writer = writable.getWriter()
    start([http.get('/stream', () => new HttpResponse(readable, { headers: { 'content-type': 'text/plain' } }))])
    inspected.inspection.keepBodies()
    const told = vi.fn<(snapshot: Snapshot) => void>()
    const outcome = await ask('/stream')
    inspected.inspection.subscribe(told)
    void writer.write(new TextEncoder().encode('one'))
    await expect
      .poll(() => inspected.inspection.bodies(latest()).response)
      .toMatchObject({ text: 'one', isComplete: false })
    await expect.poll(() => told.mock.calls.length).toBe(1)
    void writer.close()
    await expect
      .poll(() => inspected.inspection.bodies(latest()).response)
      .toMatchObject({ text: 'one', isComplete: true })
    expect(outcome.type === 'mocked' && (await outcome.response.text())).toBe('one')
  })

  test('of streams that fail are kept up to the failure', async () => {
    const stream = (): ReadableStream =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('some')),
        async pull(controller) {
          await new Promise((wait) => setTimeout(wait, 5))
          controller.error(new Error('broken'))
        },
      })
    start([http.get('/stream', () => new HttpResponse(stream(), { headers: { 'content-type': 'text/plain' } }))])
    inspected.inspection.keepBodies()
    const outcome = await ask('/stream')
    await expect(outcome.type === 'mocked' && outcome.response.text()).rejects.toBeInstanceOf(Error)
    await expect
      .poll(() => inspected.inspection.bodies(latest()).response)
      .toMatchObject({ text: 'some', isComplete: false })
  })

  test('of an unknown request are null', () => {
    start([])
    expect(inspected.inspection.bodies('__proto__')).toEqual({ request: null, response: null })
  })
})

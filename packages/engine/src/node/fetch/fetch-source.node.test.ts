import { get } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { real, post, server } from './testing/real-backend.ts'

describe('redirects between mocks and the network', () => {
  test('a mock may redirect to the network', async () => {
    server.use(http.post('*/here', () => new HttpResponse(null, { status: 307, headers: { Location: '/echo' } })))
    server.listen()
    const response = await fetch(`${real.origin}/here`, post)
    expect(response).toMatchObject({ url: `${real.origin}/echo`, redirected: true, type: 'basic', status: 200 })
    expect(response.clone()).toMatchObject({ url: `${real.origin}/echo`, redirected: true })
    expect(await response.json()).toMatchObject({ method: 'POST', body: 'text', authorization: 'secret' })
  })

  test('the network may redirect to a mock', async () => {
    server.use(http.get('*/echo', () => HttpResponse.text('mocked')))
    server.listen({ onUnhandledRequest: 'bypass' })
    const response = await fetch(`${real.origin}/twice`)
    expect(response).toMatchObject({ url: `${real.origin}/echo`, redirected: true })
    expect(await response.text()).toBe('mocked')
    expect(real.reached).toEqual(['GET /twice', 'GET /to-echo-302'])
  })

  test('finalizers of the abandoned response run', async () => {
    const finished: string[] = []
    server.use(
      http.get('*/here', ({ finalize }) => {
        finalize(() => finished.push('here'))
        return new HttpResponse('moved', { status: 302, headers: { Location: '/there' } })
      }),
      http.get('*/there', () => HttpResponse.text('there')),
    )
    server.listen()
    expect(await (await fetch(`${real.origin}/here`)).text()).toBe('there')
    expect(finished).toEqual(['here'])
  })
})

describe('abort', () => {
  test('while a handler resolves: the caller gets the reason, the handler its signal and its end', async () => {
    const controller = new AbortController()
    const happened: string[] = []
    server.use(
      http.get('*/slow', ({ request, finalize }) => {
        request.signal.addEventListener('abort', () => happened.push('signal'))
        finalize(() => happened.push('finalized'))
        queueMicrotask(() => controller.abort(new RangeError('enough')))
        return new Promise<Response>(() => {})
      }),
    )
    server.listen()
    await expect(fetch(`${real.origin}/slow`, { signal: controller.signal })).rejects.toThrow(new RangeError('enough'))
    expect(happened.sort()).toEqual(['finalized', 'signal'])
  })

  test('immediately after the call: no handler and no listener gets the request', async () => {
    const asked: string[] = []
    server.use(http.get('*/slow', ({ request }) => void asked.push(request.url)))
    server.events.once('request:start', ({ request }) => asked.push(request.url))
    server.listen()
    const controller = new AbortController()
    const response = fetch(`${real.origin}/slow`, { signal: controller.signal })
    controller.abort()
    await expect(response).rejects.toHaveProperty('name', 'AbortError')
    expect(asked).toEqual([])
    server.events.removeAllListeners()
  })

  test.each([
    ['in the options', (url: string, signal: AbortSignal) => fetch(url, { signal })],
    ['in a Request', (url: string, signal: AbortSignal) => fetch(new Request(url, { signal }))],
  ])('while the body is read, by a signal %s: the reader gets the reason, the stream is cancelled', async (_, run) => {
    const cancelled: unknown[] = []
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
      cancel: (reason) => void cancelled.push(reason),
    })
    server.use(http.get('*/stream', () => new HttpResponse(stream)))
    server.listen()
    const controller = new AbortController()
    const response = await run(`${real.origin}/stream`, controller.signal)
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first')
    controller.abort(new RangeError('enough'))
    await expect(reader?.read()).rejects.toThrow(new RangeError('enough'))
    await expect.poll(() => cancelled).toEqual([new RangeError('enough')])
  })
})

describe('a stream that refuses to be cancelled', () => {
  /** Returns the rejections that no code handles while a function runs. */
  async function rejectionsOf(run: () => Promise<void>): Promise<unknown[]> {
    const rejections: unknown[] = []
    const collect = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', collect)
    await run()
    // Node reports a rejection at the end of the turn.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    process.off('unhandledRejection', collect)
    return rejections
  }

  const cancel = vi.fn<() => void>(() => {
    throw new Error('no')
  })
  const body = (): ReadableStream<Uint8Array<ArrayBuffer>> => {
    cancel.mockClear()
    return new ReadableStream({ cancel })
  }

  test('is ignored as the body of a response to HEAD', async () => {
    server.use(http.head('*/here', () => new Response(body())))
    server.listen()
    const rejections = await rejectionsOf(async () => {
      expect((await fetch(`${real.origin}/here`, { method: 'HEAD' })).status).toBe(200)
    })
    expect(cancel).toHaveBeenCalledOnce()
    expect(rejections).toEqual([])
  })

  test('is ignored as the body of a redirect', async () => {
    server.use(
      http.get('*/here', () => new Response(body(), { status: 302, headers: { Location: '/there' } })),
      http.get('*/there', () => HttpResponse.text('there')),
    )
    server.listen()
    const rejections = await rejectionsOf(async () => {
      expect(await (await fetch(`${real.origin}/here`)).text()).toBe('there')
    })
    expect(cancel).toHaveBeenCalledOnce()
    expect(rejections).toEqual([])
  })

  test('is an error only for a client that cancels it, although a listener has a copy', async () => {
    server.use(http.get('*/here', () => new Response(body())))
    server.listen()
    const listener = vi.fn<() => void>()
    server.events.on('response:mocked', listener)
    const rejections = await rejectionsOf(async () => {
      const response = await fetch(`${real.origin}/here`)
      await response.body?.cancel().catch(() => {})
    })
    server.events.removeAllListeners()
    expect(listener).toHaveBeenCalledOnce()
    expect(cancel).toHaveBeenCalledOnce()
    expect(rejections).toEqual([])
  })
})

describe('responses of handlers', () => {
  test('a network error fails like on the platform, and names the handler', async () => {
    server.use(http.get('*/x', () => HttpResponse.error()))
    server.listen()
    const error = await fetch(`${real.origin}/x`).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { name: 'UnderstudyError' } })
    expect((error as Error).cause).toHaveProperty('message', expect.stringContaining('GET */x'))
  })

  test('an unhandled request with the policy "error" fails in the same way', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.listen({ onUnhandledRequest: 'error' })
    await expect(fetch(`${real.origin}/x`)).rejects.toMatchObject({
      message: 'fetch failed',
      cause: expect.any(Error),
    })
    expect(print).toHaveBeenCalledOnce()
    print.mockRestore()
    expect(real.reached).toEqual([])
  })

  test('a stream arrives chunk by chunk', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    server.use(http.get('*/stream', () => new HttpResponse(readable as BodyInit)))
    server.listen()
    const writer = writable.getWriter()
    const reader = (await fetch(`${real.origin}/stream`)).body?.getReader()
    for (const text of ['one', 'two']) {
      void writer.write(new TextEncoder().encode(text))
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(text)
    }
    void writer.close()
    expect((await reader?.read())?.done).toBe(true)
  })

  test('a stream that fails is an error for its reader', async () => {
    const stream = new ReadableStream({ pull: (controller) => controller.error(new RangeError('broken')) })
    server.use(http.get('*/stream', () => new HttpResponse(stream)))
    server.listen()
    const response = await fetch(`${real.origin}/stream`)
    await expect(response.text()).rejects.toThrow('broken')
  })

  test('a response that is returned several times answers each request', async () => {
    const shared = new HttpResponse(null, { status: 201 })
    server.use(http.get('*/shared/:id', () => shared))
    server.listen()
    const [one, two] = [await fetch(`${real.origin}/shared/1`), await fetch(`${real.origin}/shared/2`)]
    expect([one.url, two.url]).toEqual([`${real.origin}/shared/1`, `${real.origin}/shared/2`])
  })

  test("a response of the platform's class works like an HttpResponse", async () => {
    server.use(http.get('*/plain', () => Response.json({ id: 1 }, { status: 202, headers: { 'x-a': '1' } })))
    server.listen()
    const response = await fetch(`${real.origin}/plain`)
    expect(response).toMatchObject({ status: 202, url: `${real.origin}/plain`, type: 'basic' })
    expect([response.headers.get('x-a'), await response.json()]).toEqual(['1', { id: 1 }])
  })

  test.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNREFUSED', 'ENOTFOUND', 'EPIPE', 'UND_ERR_SOCKET'])(
    'a network error has the code %s, for fetch and node:http',
    async (code) => {
      server.use(
        http.get('*/broken', () => (code === 'ECONNRESET' ? HttpResponse.error() : HttpResponse.error({ code }))),
      )
      server.listen()
      await expect(fetch(`${real.origin}/broken`)).rejects.toMatchObject({
        message: 'fetch failed',
        cause: { code },
      })
      const ofHttp = new Promise((_resolve, reject) =>
        get(`${real.origin}/broken`, { agent: false }).on('error', reject),
      )
      await expect(ofHttp).rejects.toMatchObject({ code })
    },
  )

  test('a network error refuses an invalid code', () => {
    for (const code of ['', 5, null]) {
      expect(() => HttpResponse.error({ code: code as never })).toThrow('Failed to create a network error: its code is')
    }
  })

  test('a response arrives in the same turn of the event loop as its request, as with MSW', async () => {
    server.use(
      http.get('*/early', () => HttpResponse.json({ id: 1 })),
      http.post('*/early', async ({ request }) => HttpResponse.json((await request.json()) as object)),
    )
    server.listen()
    // Pending work of other tests belongs to the previous turn.
    await new Promise((resolve) => setImmediate(resolve))
    const turns: string[] = []
    setImmediate(() => turns.push('next'))
    for (let asked = 0; asked < 5; asked += 1) {
      await (await fetch(`${real.origin}/early`)).json()
      await (await fetch(new Request(`${real.origin}/early`, { method: 'POST', body: '{}' }))).json()
    }
    expect(turns).toEqual([])
  })

  test('a response needs no timer, and no setImmediate of a test library', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] })
    server.use(http.get('*/early', () => HttpResponse.json({ id: 1 })))
    server.listen()
    for (let asked = 0; asked < 600; asked += 1) await (await fetch(`${real.origin}/early`)).json()
    vi.useRealTimers()
    expect(await (await fetch(`${real.origin}/early`)).json()).toEqual({ id: 1 })
  })

  test('timers run between consecutive requests', async () => {
    let isReady = false
    server.use(http.get('*/poll', () => HttpResponse.json({ isReady })))
    server.listen()
    setTimeout(() => (isReady = true), 1)
    let polled
    do polled = await (await fetch(`${real.origin}/poll`)).json()
    while (!polled.isReady)
    expect(polled).toEqual({ isReady: true })
  })
})

test('headers from before interception are kept in copies', async () => {
  class EarlyRequest extends Request {}
  server.use(
    http.post('*/echo', ({ request }) => {
      const headers = new Headers(request.headers)
      const response = HttpResponse.json({ authorization: headers.get('authorization') })
      response.headers.set('x-a', '1')
      return new HttpResponse(response.body, response)
    }),
  )
  server.listen()
  const response = await fetch(new EarlyRequest(`${real.origin}/echo`, post))
  expect(await response.json()).toEqual({ authorization: 'secret' })
  expect(response.headers.get('content-type')).toBe('application/json')
})

test('no data of a request is kept after its end', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const kept: WeakRef<object>[] = []
  const controller = new AbortController()
  server.use(
    http.post('*/mocked', async ({ request, finalize }) => {
      kept.push(new WeakRef(request), new WeakRef(request.signal))
      finalize(() => {})
      return HttpResponse.json((await request.json()) as object)
    }),
    http.get('*/json', ({ request }) => void kept.push(new WeakRef(request))),
  )
  server.listen({ onUnhandledRequest: 'bypass' })
  const ask = async (path: string, init: RequestInit): Promise<void> => {
    const response = await fetch(`${real.origin}${path}`, { ...init, signal: controller.signal })
    kept.push(new WeakRef(response))
    await response.json()
  }
  for (let round = 0; round < 20; round += 1) {
    await ask('/mocked', { method: 'POST', body: '{}' })
    await ask('/json', {})
  }
  expect(kept).toHaveLength(20 * 5)
  await expect
    .poll(() => {
      collectGarbage()
      return kept.filter((reference) => reference.deref() !== undefined).length
    })
    .toBe(0)
})

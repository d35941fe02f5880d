import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, test } from 'vitest'

import { bypass, http, HttpResponse } from '../../index.ts'
import { backend, real, post, read, server, streamed } from './testing/real-backend.ts'

describe('a request that no handler answers', () => {
  const seen: string[] = []
  const unseen = http.all('*/echo', ({ request }) => {
    seen.push(request.method)
  })

  test.each<[name: string, run: () => Promise<Response>]>([
    ['GET', () => fetch(`${real.origin}/echo?a=1`)],
    ['POST', () => fetch(`${real.origin}/echo`, post)],
    ['a Request with a body', () => fetch(new Request(`${real.origin}/echo`, post))],
    ['a streamed body', () => fetch(`${real.origin}/echo`, streamed('a', 'b'))],
    ['a redirected Request with a body', () => fetch(new Request(`${real.origin}/to-echo-307`, post))],
    ['a redirected POST', () => fetch(`${real.origin}/to-echo-307`, post)],
    ['a redirect to another origin', () => fetch(`${real.origin}/to?url=${real.crossOrigin}/echo`, post)],
    ['a compressed body', () => fetch(`${real.origin}/br`)],
    ['a redirect that is left alone', () => fetch(`${real.origin}/twice`, { redirect: 'manual' })],
  ])('%s: is sent as without mocking', async (_, run) => {
    const native = await read(await run())
    server.use(
      unseen,
      http.all('*/*', () => {}),
    )
    server.listen()
    expect(await read(await run())).toEqual(native)
  })

  test('reaches the handlers once, and the network once', async () => {
    seen.length = 0
    server.use(unseen)
    server.listen()
    await fetch(`${real.origin}/echo`, post)
    expect(seen).toEqual(['POST'])
    expect(real.reached).toEqual(['POST /echo'])
  })

  test('keeps a body that a handler has read', async () => {
    server.use(http.post('*/echo', async ({ request }) => void (await request.text())))
    server.listen()
    for (const run of [
      () => fetch(`${real.origin}/echo`, post),
      () => fetch(new Request(`${real.origin}/echo`, post)),
      () => fetch(`${real.origin}/echo`, streamed('te', 'xt')),
    ]) {
      expect(await (await run()).json()).toMatchObject({ body: 'text' })
    }
  })

  test('is sent without the mark of bypass()', async () => {
    const accepts: (string | undefined)[] = []
    const listener = (request: IncomingMessage): number => accepts.push(request.headers.accept)
    backend.on('request', listener)
    server.use(http.all('*', () => HttpResponse.error()))
    server.listen()
    const response = await fetch(bypass(`${real.origin}/echo`, post))
    expect(await response.json()).toMatchObject({ method: 'POST', body: 'text', authorization: 'secret' })
    await fetch(bypass(`${real.origin}/json`, { headers: { accept: 'text/x' } }))
    backend.off('request', listener)
    expect(accepts).toEqual(['*/*', 'text/x'])
  })

  test('calls listeners with its response, and leaves the response unread', async () => {
    const told: string[] = []
    const listener = async ({ response, request }: { response: Response; request: Request }): Promise<void> => {
      told.push(`${request.method} ${await response.text()}`)
    }
    server.events.on('response:bypass', listener)
    server.listen({ onUnhandledRequest: 'bypass' })
    const response = await fetch(`${real.origin}/json`)
    expect(await response.text()).toBe('{"id":1}')
    await expect.poll(() => told).toEqual(['GET {"id":1}'])
    server.events.removeAllListeners()
  })

  test('can be cancelled if listeners do not read it; the connection to the server ends', async () => {
    const closed = Promise.withResolvers<void>()
    const endless = createServer((_request, response) => {
      response.write('first')
      response.once('close', closed.resolve)
    }).listen(0)
    server.events.on('response:bypass', () => {}).on('response:bypass', () => {})
    server.listen({ onUnhandledRequest: 'bypass' })
    try {
      const url = `http://localhost:${(endless.address() as AddressInfo).port}/path`
      const response = await fetch(url)
      expect(response).toMatchObject({ url, status: 200, type: 'basic', redirected: false })
      const turns = async (): Promise<string> => {
        for (let turn = 0; turn < 1000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        return 'still waiting'
      }
      const cancelled = response.body?.cancel().then(() => 'cancelled')
      expect(await Promise.race([cancelled, turns()])).toBe('cancelled')
      await closed.promise
    } finally {
      server.events.removeAllListeners()
      endless.closeAllConnections()
      endless.close()
    }
  })

  test('listeners can read the request’s body, even after it was sent', async () => {
    const told: string[] = []
    server.events.on('response:bypass', async ({ request }) => void told.push(await request.text()))
    server.events.on('response:bypass', async ({ request }) => void told.push(await request.text()))
    server.listen({ onUnhandledRequest: 'bypass' })
    await fetch(new Request(`${real.origin}/echo`, post))
    await fetch(`${real.origin}/echo`, streamed('te', 'xt'))
    await expect.poll(() => told).toEqual(['text', 'text', 'text', 'text'])
    server.events.removeAllListeners()
  })

  test('fails like on the platform', async () => {
    server.listen({ onUnhandledRequest: 'bypass' })
    const closed = createServer().listen(0)
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const error = await fetch(`http://localhost:${port}/`).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
    expect(error).toBeInstanceOf(TypeError)
  })

  test('uses the caller’s dispatcher, which a mocked request does not need', async () => {
    server.use(http.get('*/json', () => HttpResponse.json('mocked')))
    server.listen({ onUnhandledRequest: 'bypass' })
    const dispatched: string[] = []
    const agent = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as {
      dispatch(options: { path: string }, handler: object): boolean
    }
    const dispatcher = {
      dispatch(options: { path: string }, handler: object) {
        dispatched.push(options.path)
        return agent.dispatch(options, handler)
      },
    }
    const init = { dispatcher } as RequestInit
    expect(await (await fetch(`${real.origin}/json`, init)).json()).toBe('mocked')
    expect(await (await fetch(`${real.origin}/missing`, init)).text()).toBe('not here')
    expect(dispatched).toEqual(['/missing'])
    expect(real.reached).toEqual(['GET /missing'])
  })

  test('does not reuse a connection from before listen(), because its requests would bypass the mocks', async () => {
    await (await fetch(`${real.origin}/json`)).text()
    server.use(http.get('*/json', () => HttpResponse.json('mocked')))
    server.listen({ onUnhandledRequest: 'bypass' })
    const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
    const response = await fetch(`${real.origin}/json`, { dispatcher } as RequestInit)
    expect(await response.json()).toBe('mocked')
  })

  test('is aborted by its signal', async () => {
    server.listen({ onUnhandledRequest: 'bypass' })
    const controller = new AbortController()
    const response = await fetch(`${real.origin}/gzip`, { signal: controller.signal })
    controller.abort()
    await expect(response.text()).rejects.toHaveProperty('name', 'AbortError')
  })
})

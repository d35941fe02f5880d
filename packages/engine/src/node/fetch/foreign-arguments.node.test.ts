import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import nodeFetch, { Headers as OtherHeaders, Request as OtherRequest } from 'node-fetch'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { bypass, http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const backend = createServer((request, response) => {
  void text(request).then((body) => response.end(JSON.stringify({ method: request.method, body, real: true })))
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, resolve))
  origin = `http://localhost:${(backend.address() as AddressInfo).port}`
})
afterAll(() => backend.close())

const server = setupServer(
  http.all('*/mocked', async ({ request }) =>
    HttpResponse.json({
      isRequest: request instanceof PlatformRequest,
      method: request.method,
      type: request.headers.get('content-type'),
      body: await request.text(),
    }),
  ),
  http.get('*/never', () => new Promise<never>(() => {})),
  http.all('*/patched', async ({ request }) => HttpResponse.json(await (await fetch(bypass(request))).json())),
)
const PlatformRequest = Request
afterEach(() => {
  vi.unstubAllGlobals()
  server.close()
})

const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":1}' }

describe('fetch, Request and Headers of node-fetch as globals', () => {
  function stub(): void {
    vi.stubGlobal('fetch', nodeFetch)
    vi.stubGlobal('Request', OtherRequest)
    vi.stubGlobal('Headers', OtherHeaders)
    server.listen({ onUnhandledRequest: 'bypass' })
  }
  const mocked = { isRequest: true, method: 'POST', type: 'application/json', body: '{"id":1}' }

  test('a Request of that class reaches handlers with its method, headers and body', async () => {
    stub()
    const response = await fetch(new Request(`${origin}/mocked`, post))
    expect(await response.json()).toEqual(mocked)
    expect(response).toBeInstanceOf(Response)
    expect(await (await fetch(`${origin}/mocked`, { ...post, headers: new Headers(post.headers) })).json()).toEqual(
      mocked,
    )
    const put = await fetch(new Request(`${origin}/mocked`, post), { method: 'PUT', body: 'other' })
    expect(await put.json()).toEqual({ ...mocked, method: 'PUT', body: 'other' })
  })

  test('an unhandled one is sent with all of them, and so is bypass()', async () => {
    stub()
    const real = { method: 'POST', body: '{"id":1}', real: true }
    expect(await (await fetch(new Request(`${origin}/other`, post))).json()).toEqual(real)
    expect(await (await fetch(`${origin}/other`, post)).json()).toEqual(real)
    expect(await (await fetch(`${origin}/patched`, post)).json()).toEqual(real)
  })

  test('its signal ends the request', async () => {
    stub()
    const controller = new AbortController()
    const pending = fetch(new Request(`${origin}/never`, { signal: controller.signal }))
    controller.abort()
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a signal of jsdom', () => {
  /** The package has no types. */
  const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
    JSDOM: new (
      html: string,
      options: { url: string },
    ) => { window: Pick<typeof globalThis, 'AbortController' | 'AbortSignal'> }
  }
  const { window } = new JSDOM('', { url: 'http://localhost/' })

  test('aborts a mocked fetch, before and during it', async () => {
    vi.stubGlobal('AbortController', window.AbortController)
    vi.stubGlobal('AbortSignal', window.AbortSignal)
    server.listen()
    const early = new AbortController()
    early.abort(new Error('too late'))
    await expect(fetch(`${origin}/mocked`, { signal: early.signal })).rejects.toThrow('too late')
    const late = new AbortController()
    const pending = fetch(`${origin}/never`, { signal: late.signal })
    late.abort()
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
    const unused = new AbortController()
    expect((await fetch(`${origin}/mocked`, { signal: unused.signal })).status).toBe(200)
  })
})

test('a Request class that turns streams into text is refused when a server starts to listen', async () => {
  class TextRequest extends Request {
    constructor(input: string, init: RequestInit) {
      super(input, { ...init, body: '[object ReadableStream]' })
    }
  }
  vi.resetModules()
  vi.stubGlobal('Request', TextRequest)
  const { setupServer: setUp } = await import('../setup-server.ts')
  expect(() => setUp().listen()).toThrow(
    'Failed to start the server: a polyfill (whatwg-fetch, node-fetch, …) replaced',
  )
})

test('signals without throwIfAborted(), like those of jsdom 20, work', async () => {
  server.listen()
  const method = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'throwIfAborted')!
  Reflect.deleteProperty(AbortSignal.prototype, 'throwIfAborted')
  try {
    const { signal } = new AbortController()
    expect((await fetch(`${origin}/mocked`, { signal })).status).toBe(200)
    const controller = new AbortController()
    const pending = fetch(`${origin}/never`, { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  } finally {
    Object.defineProperty(AbortSignal.prototype, 'throwIfAborted', method)
  }
})

test('a URL class without URL.parse and URL.canParse works', async () => {
  class OlderURL extends URL {
    static override parse = undefined as never
    static override canParse = undefined as never
  }
  vi.stubGlobal('URL', OlderURL)
  server.listen()
  expect(await (await fetch(`${origin}/mocked`, post)).json()).toMatchObject({ method: 'POST' })
})

// The platform itself uses the global `URL`, `AbortController` and `AbortSignal`.
test('globals that are replaced while a server listens do not change its responses', async () => {
  server.listen()
  for (const name of ['Request', 'Response', 'Headers']) {
    vi.stubGlobal(
      name,
      class {
        constructor() {
          throw new Error(`${name} of the test was used`)
        }
      },
    )
  }
  const response = await fetch(`${origin}/mocked`, post)
  expect(await response.json()).toMatchObject({ method: 'POST', body: '{"id":1}' })
})

test('a call with a signal needs no TransformStream of the page, which jsdom in a context of node:vm lacks', async () => {
  vi.stubGlobal('TransformStream', undefined)
  server.listen({ onUnhandledRequest: 'error' })
  const response = await fetch(`${origin}/mocked`, { ...post, signal: new AbortController().signal })
  expect(await response.json()).toMatchObject({ method: 'POST', body: '{"id":1}' })
})

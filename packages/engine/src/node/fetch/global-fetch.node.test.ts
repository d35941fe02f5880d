import { describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'
import { real, server } from './testing/real-backend.ts'

describe('globalThis.fetch', () => {
  const native = globalThis.fetch
  const json = http.get('*/json', () => HttpResponse.json('mocked'))

  test('is the platform’s again after close()', () => {
    server.listen()
    expect(globalThis.fetch).not.toBe(native)
    expect([globalThis.fetch.name, globalThis.fetch.length]).toEqual([native.name, native.length])
    server.close()
    expect(globalThis.fetch).toBe(native)
  })

  test('that was stored while a server listens works after close()', async () => {
    server.use(json)
    server.listen()
    const taken = globalThis.fetch
    server.close()
    expect(await (await taken(`${real.origin}/json`)).json()).toEqual({ id: 1 })
  })

  test('that was stubbed while a server listens stays stubbed', () => {
    server.listen()
    const stub = vi.fn<typeof fetch>()
    vi.stubGlobal('fetch', stub)
    server.close()
    expect(globalThis.fetch).toBe(stub)
    vi.unstubAllGlobals()
    globalThis.fetch = native
  })

  test('that was stubbed before listen() gets unhandled requests with their original arguments', async () => {
    const stub = vi.fn<typeof fetch>(async () => new Response('stub'))
    vi.stubGlobal('fetch', stub)
    server.use(json)
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch(`${real.origin}/json`)).json()).toBe('mocked')
    expect(stub).not.toHaveBeenCalled()
    expect(await (await fetch(`${real.origin}/missing`, { method: 'DELETE' })).text()).toBe('stub')
    expect(stub).toHaveBeenCalledExactlyOnceWith(
      `${real.origin}/missing`,
      expect.objectContaining({ method: 'DELETE' }),
    )
    server.close()
    expect(globalThis.fetch).toBe(stub)
    vi.unstubAllGlobals()
  })

  test('in a wrapper decides once, and also about other requests of the wrapper', async () => {
    const asked: string[] = []
    server.use(http.get('*', ({ request }) => void asked.push(new URL(request.url).pathname)))
    server.listen({ onUnhandledRequest: 'bypass' })
    const inner = globalThis.fetch
    vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
      await (await inner(`${real.origin}/json`)).text()
      return inner(...args)
    })
    const other = setupServer(json)
    other.listen({ onUnhandledRequest: 'bypass' })
    for (let round = 0; round < 3; round += 1) {
      expect(await (await fetch(`${real.origin}/missing`)).text()).toBe('not here')
    }
    expect(asked).toEqual(['/missing', '/missing', '/missing'])
    expect(real.reached).toEqual(['GET /missing', 'GET /missing', 'GET /missing'])
    other.close()
    vi.unstubAllGlobals()
    server.close()
    expect(globalThis.fetch).toBe(native)
  })

  test('that a test library restored after close() is the native one again when a server listens', async () => {
    const asked: string[] = []
    server.use(http.get('*', ({ request }) => void asked.push(request.url)))
    server.listen({ onUnhandledRequest: 'bypass' })
    vi.stubGlobal('fetch', vi.fn<typeof fetch>())
    server.close()
    vi.unstubAllGlobals()
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch(`${real.origin}/missing`)).text()).toBe('not here')
    expect(asked).toEqual([`${real.origin}/missing`])
    server.close()
    expect(globalThis.fetch).toBe(native)
  })

  test('two servers listen at once, the later one first', async () => {
    const other = setupServer(
      http.get('*/json', () => HttpResponse.json('other')),
      json,
    )
    server.use(http.get('*/x', () => HttpResponse.json('first')))
    server.listen({ onUnhandledRequest: 'bypass' })
    other.listen({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch(`${real.origin}/json`)).json()).toBe('other')
    expect(await (await fetch(`${real.origin}/x`)).json()).toBe('first')
    expect(await (await fetch(`${real.origin}/missing`)).text()).toBe('not here')
    server.close()
    expect(await (await fetch(`${real.origin}/json`)).json()).toBe('other')
    other.close()
    expect(await (await fetch(`${real.origin}/json`)).json()).toEqual({ id: 1 })
    expect(real.reached).toEqual(['GET /missing', 'GET /json'])
    expect(globalThis.fetch).toBe(native)
  })

  test('accepts a URL relative to the page, if there is one', async () => {
    vi.stubGlobal('location', new URL(`${real.origin}/app/`))
    server.use(http.get('/app/users', ({ request }) => HttpResponse.json(request.url)))
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch('users?a=1')).json()).toBe(`${real.origin}/app/users?a=1`)
    expect(await (await fetch('/json')).json()).toEqual({ id: 1 })
    vi.unstubAllGlobals()
  })
})

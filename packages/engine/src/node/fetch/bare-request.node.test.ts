import { describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { real, server } from './testing/real-backend.ts'

const created = vi.hoisted(() => ({ requests: 0 }))

vi.mock('../../core/platform.ts', async (importOriginal) => {
  const platform = await importOriginal<typeof import('../../core/platform.ts')>()
  const Request = new Proxy(platform.Request, {
    construct(target, args, newTarget) {
      created.requests += 1
      return Reflect.construct(target, args, newTarget) as Request
    },
  })
  return { ...platform, Request }
})

const read = (): Response => HttpResponse.text('read')

describe('fetch(url) creates a Request', () => {
  test('not at all if no handler and no listener reads it', async () => {
    server.use(http.get('*/user/:id', ({ params, url }) => HttpResponse.text(`${String(params['id'])} ${url.search}`)))
    server.listen()
    created.requests = 0
    for (const options of [undefined, {}]) {
      const response = await fetch(`${real.origin}/user/5?a=b#part`, options)
      expect(response).toMatchObject({ url: `${real.origin}/user/5?a=b`, redirected: false, type: 'basic' })
      expect(await response.text()).toBe('5 ?a=b')
    }
    expect(created.requests).toBe(0)
  })

  test('once for all handlers and listeners', async () => {
    const requests = new Set<Request>()
    server.use(
      http.get('*/user', ({ request }) => void requests.add(request)),
      http.get('*/user', ({ request }) => {
        requests.add(request)
        return read()
      }),
    )
    server.events.on('request:start', ({ request }) => requests.add(request))
    server.events.on('response:mocked', ({ request }) => requests.add(request))
    server.listen()
    created.requests = 0
    expect(await (await fetch(`${real.origin}/user#part`)).text()).toBe('read')
    server.events.removeAllListeners()
    expect(created.requests).toBe(1)
    const [request, ...others] = requests
    expect(others).toEqual([])
    expect(request).toBeInstanceOf(globalThis.Request)
    expect(request).toMatchObject({ method: 'GET', url: `${real.origin}/user#part`, body: null, redirect: 'follow' })
    expect([...(request as Request).headers]).toEqual([])
    expect(request?.signal.aborted).toBe(false)
  })

  test.each<[string, RequestInit]>([
    ['a method', { method: 'DELETE' }],
    ['an inherited method', Object.create({ method: 'DELETE' }) as RequestInit],
    [
      'a method of a class',
      new (class {
        get method(): string {
          return 'DELETE'
        }
      })(),
    ],
  ])('at once if the call has %s', async (_, options) => {
    server.use(http.delete('*/user', read))
    server.listen()
    created.requests = 0
    expect(await (await fetch(`${real.origin}/user`, options)).text()).toBe('read')
    expect(created.requests).toBe(1)
  })

  test('at once if its URL has credentials, which the platform rejects', async () => {
    const resolver = vi.fn<() => Response>(read)
    server.use(http.get('*/user', resolver))
    server.listen()
    const url = real.origin.replace('://', '://name:secret@')
    await expect(fetch(`${url}/user`)).rejects.toThrow(TypeError)
    expect(resolver).not.toHaveBeenCalled()
  })
})

describe('a handler that changes the URL of fetch(url)', () => {
  const change = ({ url }: { url: URL }): void => {
    url.host = 'other.test'
    url.pathname = '/changed'
    url.search = '?changed'
  }

  test('does not change the URL of the response', async () => {
    server.use(
      http.get('*/user', ({ url }) => {
        change({ url })
        return read()
      }),
    )
    server.listen()
    expect(await fetch(`${real.origin}/user`)).toMatchObject({ url: `${real.origin}/user`, type: 'basic' })
  })

  test('does not change where a redirect leads', async () => {
    server.use(
      http.get('*/from', ({ url }) => {
        change({ url })
        return HttpResponse.redirect('to')
      }),
      http.get('*/to', read),
    )
    server.listen()
    const response = await fetch(`${real.origin}/from`)
    expect(response).toMatchObject({ url: `${real.origin}/to`, redirected: true, type: 'basic' })
  })

  test('does not change the request that passes through', async () => {
    server.use(http.get('*/echo', ({ url }) => change({ url })))
    server.listen({ onUnhandledRequest: 'bypass' })
    expect((await fetch(`${real.origin}/echo?a=b`)).url).toBe(`${real.origin}/echo?a=b`)
    expect(real.reached).toEqual(['GET /echo?a=b'])
  })
})

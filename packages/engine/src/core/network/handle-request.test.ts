import { describe, expect, it, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { bypass } from '../responses/bypass.ts'
import { delay } from '../responses/delay.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { passthrough } from '../responses/passthrough.ts'
import { cookieJarOf } from './cookie-jar-of.ts'
import { handleAtOnce, handleRequest } from './handle-request.ts'
import { ask, create, read, url } from './testing/ask-network.ts'

describe('the outcome', () => {
  const response = () => HttpResponse.text('Ada', { status: 201 })

  it.each<[name: string, resolver: () => Response | undefined | Promise<Response | undefined>, outcome: string]>([
    ['a response', response, 'mocked'],
    ['a response, later', async () => response(), 'mocked'],
    ['a platform response', () => new Response('Ada', { status: 201 }), 'mocked'],
    ['a network error', () => HttpResponse.error(), 'network-error'],
    ["the platform's network error", () => Response.error(), 'network-error'],
    ["a response of type 'error'", () => new HttpResponse(null, { type: 'error' }), 'network-error'],
    ['passthrough()', () => passthrough(), 'passthrough'],
    ['nothing', () => undefined, 'passthrough'],
    ['nothing, later', async () => undefined, 'passthrough'],
  ])('of %s', async (_name, resolver, type) => {
    const outcome = await ask(create([http.get(url, resolver)]))
    expect(outcome.type).toBe(type)
    const mocked = outcome.type === 'mocked' ? [outcome.response.status, await outcome.response.text()] : null
    expect(mocked).toEqual(type === 'mocked' ? [201, 'Ada'] : null)
  })

  it('is there at once if nothing has to be awaited', async () => {
    const network = create([http.get(url, response), http.post(url, async () => response())])
    expect(handleAtOnce(new Request(url), network)).toMatchObject({ type: 'mocked' })
    const later = handleAtOnce(new Request(url, { method: 'POST' }), network)
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toMatchObject({ type: 'mocked' })
  })

  it('of a request that no handler matches', async () => {
    const network = create([http.post(url, response), http.get('https://app.test/post', response)])
    expect(await ask(network)).toEqual({ type: 'unhandled', onResponse: undefined })
    expect(await ask(create([]))).toEqual({ type: 'unhandled', onResponse: undefined })
  })

  it('of a bypassed request, which no handler is asked about', async () => {
    const resolver = vi.fn<() => Response>(response)
    const outcome = await handleRequest(bypass(url), create([http.get(url, resolver)]))
    expect(outcome).toEqual({ type: 'passthrough', onResponse: undefined })
    expect(resolver).not.toHaveBeenCalled()
  })

  it('names the handler of a network error, and its line', async () => {
    const outcome = await ask(create([http.get(url, () => HttpResponse.error())]))
    expect(outcome).toMatchObject({
      type: 'network-error',
      error: {
        message: expect.stringMatching(
          /^Failed to answer GET https:\/\/app\.test\/user: the handler GET https:\/\/app\.test\/user \(.*handle-request\.test\.ts:\d+:\d+\) answers with a network error\. The handler chose this error\. \(US0204\)$/,
        ) as string,
      },
    })
  })
})

describe('a resolver gets', () => {
  it('of the request', async () => {
    const resolver = vi.fn<(info: object) => Response>(() => HttpResponse.text('Ada'))
    const network = create([http.post('https://app.test/user/:id', resolver)])
    const request = new Request(`${url}/5?full`, { method: 'POST', body: 'text', headers: { Cookie: 'a=1' } })
    await handleRequest(request, network, 'id-1')
    expect(resolver).toHaveBeenCalledExactlyOnceWith({
      request: expect.any(Request) as Request,
      requestId: 'id-1',
      url: new URL(`${url}/5?full`),
      params: expect.objectContaining({ id: '5' }) as object,
      // In a browser, scripts cannot set this header.
      cookies: expect.objectContaining(typeof document === 'object' ? {} : { a: '1' }) as object,
      finalize: expect.any(Function) as () => void,
    })
  })

  it('with ids that differ', async () => {
    const ids: string[] = []
    const network = create([
      http.get(url, ({ requestId }) => {
        ids.push(requestId)
      }),
    ])
    await Promise.all([ask(network), ask(network), ask(network)])
    expect(new Set(ids).size).toBe(3)
  })

  it('of cookies in a header too, which only the resolver sees', async () => {
    const network = create([
      http.post(url, ({ request: { headers } }) => {
        // In a page, other tests may have set other cookies.
        const cookie = headers
          .get('Cookie')
          ?.split('; ')
          .find((each) => each.startsWith('told='))
        if (cookie === undefined)
          return new HttpResponse(null, { status: 400, headers: { 'Set-Cookie': 'told=b c; Path=/' } })
        headers.set('X-Changed', cookie)
        return HttpResponse.json([headers.get('X-Changed'), headers.get('x-sent'), headers.get('x-other')])
      }),
    ])
    const send = (): Request => new Request(url, { method: 'POST', headers: { 'X-Sent': '1' }, credentials: 'include' })
    expect(await handleRequest(send(), network)).toMatchObject({ response: { status: 400 } })
    const request = send()
    expect(JSON.parse(await read(handleRequest(request, network)))).toEqual(['told=b c', '1', null])
    expect(new Request(request).headers.get('cookie')).toBeNull()
    cookieJarOf(network).clear()
    expect(await handleRequest(send(), network)).toMatchObject({ response: { status: 400 } })
  })

  it('of cookies that mocked responses have set', async () => {
    const network = create([
      http.post(url, () => HttpResponse.json({}, { headers: { 'Set-Cookie': 'session=5' } })),
      http.get(url, ({ cookies }) => HttpResponse.text(cookies['session'])),
    ])
    await ask(network, { method: 'POST', credentials: 'include' })
    expect(await read(ask(network, { credentials: 'include' }))).toBe('5')
    expect(await read(ask(network, { credentials: 'omit' }))).toBe('')
    cookieJarOf(network).clear()
    expect(await read(ask(network, { credentials: 'include' }))).toBe('')
  })
})

describe('fall-through', () => {
  it('asks the next matching handler, in order, until one answers', async () => {
    const asked: string[] = []
    const falling = (name: string) => () => {
      asked.push(name)
    }
    const network = create([
      http.all('*', falling('all')),
      http.get(url, falling('path')),
      http.get('https://app.test/post', falling('other path')),
      http.get(/user/, falling('RegExp')),
      http.get(
        ({ request }) => request.url === url,
        async () => {
          asked.push('predicate')
          return HttpResponse.text('Ada')
        },
      ),
      http.get(url, falling('after')),
    ])
    expect(await read(ask(network))).toBe('Ada')
    expect(asked).toEqual(['all', 'path', 'RegExp', 'predicate'])
  })

  it('leaves the body for the next handler, and for the source that sends the request', async () => {
    const bodies: unknown[] = []
    const network = create([
      http.post(
        async ({ request }) => (await request.text()) === '{"a":1}',
        async ({ request }) => {
          bodies.push(await request.json())
        },
      ),
      http.post(url, async ({ request }) => {
        bodies.push(await request.clone().text(), await request.text())
      }),
    ])
    const request = new Request(url, { method: 'POST', body: '{"a":1}' })
    const performed = request.clone()
    expect((await handleRequest(request, network)).type).toBe('passthrough')
    expect(bodies).toEqual([{ a: 1 }, '{"a":1}', '{"a":1}'])
    expect(await performed.text()).toBe('{"a":1}')
  })

  it('ends at passthrough()', async () => {
    const after = vi.fn<() => Response>(() => HttpResponse.text('Ada'))
    const network = create([http.get(url, () => passthrough()), http.get(url, after)])
    expect((await ask(network)).type).toBe('passthrough')
    expect(after).not.toHaveBeenCalled()
  })
})

describe('a handler that answers once', () => {
  it('answers only one of two concurrent requests, although its predicate is asynchronous', async () => {
    const network = create([
      http.get(
        async () => {
          await delay(5)
          return true
        },
        async () => {
          await delay(5)
          return HttpResponse.text('once')
        },
        { once: true },
      ),
      http.get(url, () => HttpResponse.text('then')),
    ])
    expect(await Promise.all([read(ask(network)), read(ask(network))])).toEqual(['once', 'then'])
  })

  it('is used up by falling through', async () => {
    const resolver = vi.fn<() => void>()
    const network = create([http.get(url, resolver, { once: true }), http.get(url, () => HttpResponse.text('then'))])
    expect([await read(ask(network)), await read(ask(network))]).toEqual(['then', 'then'])
    expect(resolver).toHaveBeenCalledOnce()
  })
})

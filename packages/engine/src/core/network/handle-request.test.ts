import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { http } from '../../http/http.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { bypass } from '../responses/bypass.ts'
import { delay } from '../responses/delay.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { passthrough } from '../responses/passthrough.ts'
import { readUnhandledPolicy, type UnhandledRequestOption } from '../unhandled/unhandled-request.ts'
import { ClientAbort } from './client-abort.ts'
import { cookieJarOf } from './cookie-jar-of.ts'
import { handleRequest } from './handle-request.ts'
import type { LifeCycleEvent } from './life-cycle-events.ts'
import { Network } from './network.ts'
import type { Outcome } from './outcome.ts'

const url = 'https://app.test/user'

function create(handlers: Handler[], onUnhandledRequest: UnhandledRequestOption = 'bypass'): Network {
  return new Network(handlers, { unhandled: readUnhandledPolicy({ onUnhandledRequest }) })
}

function ask(network: Network, init?: RequestInit): Promise<Outcome> {
  return handleRequest(new Request(url, init), network)
}

/** Returns the text of a mocked response, or the name of another outcome. */
async function read(asked: Outcome | Promise<Outcome>): Promise<string> {
  const outcome = await asked
  return outcome.type === 'mocked' ? outcome.response.text() : outcome.type
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

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

describe('a resolver that throws', () => {
  it.each<[name: string, thrower: () => never | Promise<never>]>([
    [
      'a response',
      () => {
        throw HttpResponse.text('Not you', { status: 401 })
      },
    ],
    [
      'a response, later',
      async () => {
        await delay(1)
        throw new Response('Not you', { status: 401 })
      },
    ],
  ])('%s answers with it', async (_name, thrower) => {
    const outcome = await ask(create([http.get(url, thrower), http.get(url, () => HttpResponse.text('next'))]))
    expect(outcome).toMatchObject({ type: 'mocked', response: { status: 401 } })
    expect(await read(outcome)).toBe('Not you')
    expect(console.error).not.toHaveBeenCalled()
  })

  it('a network error fails the request', async () => {
    const network = create([
      http.get(url, () => {
        throw Response.error()
      }),
    ])
    expect((await ask(network)).type).toBe('network-error')
  })

  it('another error answers 500 with its message, and the console shows handler and line', async () => {
    const error = new RangeError('no such user')
    const handler = http.get(url, () => {
      throw error
    })
    const outcome = await ask(create([handler]))
    expect(outcome).toMatchObject({ type: 'mocked', response: { status: 500, statusText: 'Internal Server Error' } })
    expect(JSON.parse(await read(outcome))).toEqual({ name: 'RangeError', message: 'no such user', stack: error.stack })
    const { file, line, column } = handler.info.callSite ?? {}
    expect(file).toContain('handle-request.test.ts')
    expect(console.error).toHaveBeenCalledExactlyOnceWith(
      `[understudy] Failed to answer GET ${url}: the handler GET ${url} (${file?.replace(/\?.*/, '')}:${line}:${column}) threw. ` +
        'The client gets "500 Internal Server Error". See the error. (US0203)',
      error,
    )
  })

  it.each<[thrown: unknown, message: string]>([
    ['text', 'text'],
    [5, 'the number 5'],
    [undefined, 'undefined'],
    [{ code: 5 }, 'an object with the keys code'],
    [Object.create(null), 'an object with the keys (none)'],
  ])('%o answers 500, too', async (thrown, message) => {
    const outcome = await ask(create([http.get(url, () => Promise.reject(thrown as Error))]))
    expect(JSON.parse(await read(outcome))).toMatchObject({ name: 'Error', message })
  })

  const broken = (key: string, get: () => unknown): Error =>
    Object.defineProperty(new RangeError('no such user'), key, { get })
  const refuse = (): never => {
    throw new Error('not to be read')
  }
  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  }

  it.each<[name: string, thrown: unknown, answer: object]>([
    ['whose stack cannot be read', broken('stack', refuse), { name: 'RangeError', message: 'no such user' }],
    ['whose message cannot be read', broken('message', refuse), { name: 'RangeError', message: '' }],
    ['whose name cannot be read', broken('name', refuse), { name: 'Error', message: 'no such user' }],
    ['with a message that is not a string', broken('message', () => 5n), { name: 'RangeError', message: '5' }],
    ['of which nothing can be read', revoked(), { name: 'Error', message: 'a value that cannot be read' }],
  ])('an error %s answers 500, and is reported to listeners and on the console', async (_name, thrown, answer) => {
    // Like consoles that print a stack.
    vi.mocked(console.error).mockImplementation((_message, ...details: unknown[]) => {
      for (const detail of details) void (detail as Error).stack
    })
    const network = create([http.get(url, () => Promise.reject(thrown as Error))])
    const listener = vi.fn<(event: object) => void>()
    network.events.on('unhandledException', listener)
    const outcome = await ask(network)
    expect(outcome).toMatchObject({ type: 'mocked', response: { status: 500 } })
    expect(JSON.parse(await read(outcome))).toMatchObject(answer)
    expect(listener).toHaveBeenCalledOnce()
    expect(vi.mocked(console.error).mock.lastCall?.[0]).toContain(`Failed to answer GET ${url}: the handler`)
  })

  it('is reported to listeners of unhandledException, and on the console', async () => {
    const error = new Error('no such user')
    const network = create([http.get(url, () => Promise.reject(error))])
    const listener = vi.fn<(event: object) => void>()
    network.events.on('unhandledException', listener)
    await ask(network)
    expect(listener).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ error, requestId: expect.any(String) as string }),
    )
    expect(console.error).toHaveBeenCalledOnce()
  })

  it('may be a predicate', async () => {
    const network = create([
      http.get(
        () => {
          throw new Error('of the predicate')
        },
        () => HttpResponse.text('Ada'),
      ),
    ])
    expect(JSON.parse(await read(ask(network)))).toMatchObject({ message: 'of the predicate' })
  })
})

describe('a result that is not a usable response', () => {
  const notAResponse =
    'Return a response, such as HttpResponse.json(…) or HttpResponse.text(…), or nothing to let the next handler answer. (US0205)'
  const used =
    `Failed to answer with the handler GET ${url}: the body of its response was already sent or read. ` +
    'Create a response for each request, or return response.clone(). (US0206)'

  async function message(network: Network): Promise<string> {
    const { message: text } = JSON.parse(await read(ask(network))) as { message: string }
    return text
  }

  it.each<[result: unknown, named: string]>([
    ['Ada', 'the string "Ada"'],
    [{ name: 'Ada' }, 'an object with the keys name'],
    [[], 'an array'],
    [0, 'the number 0'],
    [HttpResponse, 'the function "HttpResponse"'],
  ])('%o', async (result, named) => {
    const network = create([http.get(url, () => result as Response), http.get(url, () => HttpResponse.text('next'))])
    expect(await message(network)).toBe(
      `Failed to answer with the handler GET ${url}: its resolver returned ${named}. ${notAResponse}`,
    )
  })

  it('is one whose body was read', async () => {
    const network = create([
      http.get(url, async () => {
        const response = HttpResponse.json({})
        await response.json()
        return response
      }),
    ])
    expect(await message(network)).toBe(used)
  })

  it('is one whose body is being read', async () => {
    const network = create([
      http.get(url, () => {
        const response = HttpResponse.json({})
        response.body?.getReader()
        throw response
      }),
    ])
    expect(await message(network)).toBe(used)
  })

  it('is one that was returned before', async () => {
    const shared = HttpResponse.text('Ada')
    const network = create([http.get(url, () => shared)])
    const outcomes = await Promise.all([ask(network), ask(network)])
    expect(await read(outcomes[0])).toBe('Ada')
    expect(JSON.parse(await read(outcomes[1]))).toMatchObject({ message: used })
    expect(await message(network)).toBe(used)
  })

  it('does not include a response without a body, or one that is cloned each time', async () => {
    const empty = new HttpResponse(null, { status: 204 })
    const full = HttpResponse.text('Ada')
    const network = create([http.get(url, () => empty), http.post(url, () => full.clone())])
    expect([await read(ask(network)), await read(ask(network))]).toEqual(['', ''])
    const post = { method: 'POST' }
    expect([await read(ask(network, post)), await read(ask(network, post))]).toEqual(['Ada', 'Ada'])
  })
})

describe('events', () => {
  /** Records the data of each event, whose listeners read request and response. */
  async function record(network: Network, request: Request): Promise<string[]> {
    const heard: Promise<string>[] = []
    const note = async (event: LifeCycleEvent<'*'>): Promise<string> => {
      const { request: asked, response, error } = event as { request?: Request; response?: Response; error?: Error }
      const parts = [await asked?.text(), await response?.text(), error?.message]
      return `${event.type}: ${parts.filter((part) => part !== undefined).join(', ')}`
    }
    for (const name of [
      'request:start',
      'request:match',
      'request:unhandled',
      'request:end',
      'response:mocked',
      'response:bypass',
      'unhandledException',
    ] as const) {
      network.events.on(name, (event) => heard.push(note(event)))
      // Another listener, which reads the same bodies.
      network.events.on(name, ({ request: own, requestId }) => own.text().then(() => expect(requestId).toBe('id-1')))
    }
    const outcome = await handleRequest(request, network, 'id-1')
    if ('onResponse' in outcome) outcome.onResponse?.(new Response('real'))
    return Promise.all(heard)
  }

  const post = (): Request => new Request(url, { method: 'POST', body: 'sent' })
  const answer = (): Response => HttpResponse.text('mocked')

  it.each<[name: string, handlers: Handler[], request: () => Request, heard: string[]]>([
    [
      'a mocked request',
      [http.post(url, answer)],
      post,
      ['request:start: sent', 'request:match: sent', 'request:end: sent', 'response:mocked: sent, mocked'],
    ],
    [
      'a resolver that reads the body',
      [http.post(url, async ({ request }) => HttpResponse.text(`got ${await request.text()}`))],
      post,
      ['request:start: sent', 'request:match: sent', 'request:end: sent', 'response:mocked: sent, got sent'],
    ],
    [
      'fall-through',
      [http.post(url, () => {}), http.all('*', answer)],
      post,
      [
        'request:start: sent',
        'request:match: sent',
        'request:match: sent',
        'request:end: sent',
        'response:mocked: sent, mocked',
      ],
    ],
    [
      'passthrough()',
      [http.post(url, () => passthrough())],
      post,
      ['request:start: sent', 'request:match: sent', 'request:end: sent', 'response:bypass: sent, real'],
    ],
    [
      'an unhandled request',
      [http.get(url, answer)],
      post,
      ['request:start: sent', 'request:unhandled: sent', 'request:end: sent', 'response:bypass: sent, real'],
    ],
    [
      'a bypassed request',
      [http.post(url, answer)],
      () => bypass(post()),
      ['request:start: sent', 'request:end: sent', 'response:bypass: sent, real'],
    ],
    [
      'a network error',
      [http.post(url, () => HttpResponse.error())],
      post,
      ['request:start: sent', 'request:match: sent', 'request:end: sent'],
    ],
    [
      'a resolver that throws',
      [http.post(url, () => Promise.reject(new Error('thrown')))],
      post,
      [
        'request:start: sent',
        'request:match: sent',
        'unhandledException: sent, thrown',
        'request:end: sent',
        expect.stringContaining('response:mocked: sent, {"name":"Error"') as string,
      ],
    ],
  ])('of %s', async (_name, handlers, request, heard) => {
    expect(await record(create(handlers), request())).toEqual(heard)
  })

  it('leave the body of the response to the client', async () => {
    const network = create([http.get(url, answer)])
    network.events.on('response:mocked', ({ response }) => response.text())
    expect(await read(ask(network))).toBe('mocked')
  })

  it('name the handler that matched', async () => {
    const handler = http.get(url, answer)
    const network = create([handler])
    const matched: Handler[] = []
    network.events.on('request:match', (event) => matched.push(event.handler))
    await ask(network)
    expect(matched).toEqual([handler])
  })
})

describe('an aborted request', () => {
  it('gets no response while a resolver waits', async () => {
    const network = create([
      http.get(url, async () => {
        await delay('infinite')
      }),
    ])
    const controller = new AbortController()
    const outcome = ask(network, { signal: controller.signal })
    const reason = new Error('gone')
    controller.abort(reason)
    expect(await outcome).toEqual({ type: 'network-error', error: reason })
  })

  it('of a client that left emits no events and notifies no observer', async () => {
    const network = create([http.get(url, () => delay('infinite') as never)])
    const controller = new AbortController()
    const outcome = ask(network, { signal: controller.signal })
    const heard: unknown[] = []
    network.events.on('*', ({ type }) => heard.push(type))
    network.observe((decision) => heard.push(decision))
    const reason = new ClientAbort('The client left.')
    controller.abort(reason)
    expect(await outcome).toEqual({ type: 'network-error', error: reason })
    expect(heard).toEqual([])
  })

  it('that was aborted before it arrived calls no resolver', async () => {
    const resolver = vi.fn<() => Response>(() => HttpResponse.text('Ada'))
    const outcome = await ask(create([http.get(url, resolver)]), { signal: AbortSignal.abort('gone') })
    expect(outcome).toEqual({ type: 'network-error', error: 'gone' })
    expect(resolver).not.toHaveBeenCalled()
  })

  it('no resolver answers later, and the next handler is not asked', async () => {
    const controller = new AbortController()
    const { promise: going, resolve: go } = Promise.withResolvers<void>()
    const next = vi.fn<() => Response>(() => HttpResponse.text('next'))
    const unhandled = vi.fn<() => void>()
    const network = create(
      [
        http.get(url, async () => {
          await going
        }),
        http.get(url, next),
        http.post(url, async () => {
          await going
          return HttpResponse.text('', { headers: { 'Set-Cookie': 'a=1' } })
        }),
        http.put(
          async () => {
            await going
            return false
          },
          () => {},
        ),
      ],
      unhandled,
    )
    const heard: string[] = []
    network.events.on('*', ({ type }) => heard.push(type))
    const { signal } = controller
    const outcomes = ['GET', 'POST', 'PUT'].map((method) => ask(network, { method, signal, credentials: 'include' }))
    await vi.waitFor(() => expect(heard).toHaveLength(5))
    controller.abort()
    expect((await Promise.all(outcomes)).map(({ type }) => type)).toEqual(Array(3).fill('network-error'))
    go()
    await delay(20)
    expect(next).not.toHaveBeenCalled()
    expect(unhandled).not.toHaveBeenCalled()
    expect(heard.slice(5)).toEqual(Array(3).fill('request:end'))
    expect(network.layers.entries().map(({ hits }) => hits)).toEqual([0, 0, 0, 0])
    expect(cookieJarOf(network).headerFor(new Request(url, { credentials: 'include' }))).toBe('')
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

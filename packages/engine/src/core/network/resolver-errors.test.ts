import { describe, expect, it, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { delay } from '../responses/delay.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { Network } from './network.ts'
import { ask, create, read, url } from './testing/ask-network.ts'

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
    expect(file).toContain('resolver-errors.test.ts')
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
    // The stack would be that of the engine.
    expect(JSON.parse(await read(outcome))).toEqual({ name: 'Error', message })
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

  it('the stack of the error is the line of the handler, because the resolver has ended', async () => {
    const handler = http.get(url, () => 'Ada' as never)
    const { stack } = JSON.parse(await read(ask(create([handler])))) as { stack: string }
    const { file, line, column } = handler.info.callSite ?? {}
    expect(stack).toMatch(/^UnderstudyError: Failed to answer with the handler GET /)
    expect(stack.split('\n').slice(1)).toEqual([`    at ${file}:${line}:${column}`])
  })

  it.each<[name: string, create: (body: Promise<string>) => Response]>([
    ['json', (body) => HttpResponse.json(body as never)],
    ['text', (body) => HttpResponse.text(body as never)],
    ['html', (body) => HttpResponse.html(body as never)],
    ['xml', (body) => HttpResponse.xml(body as never, { status: 201 })],
  ])('a response of HttpResponse.%s() with a promise', async (_name, response) => {
    const handler = http.get(url, () => response(Promise.resolve('Ada')))
    const network = create([handler, http.get(url, () => HttpResponse.text('next'))])
    const answer = JSON.parse(await read(ask(network))) as { message: string; stack: string }
    expect(answer.message).toBe(
      `Failed to answer with the handler GET ${url}: the body of its response is a Promise. ` +
        'Pass the value: HttpResponse.json(await …). (US0228)',
    )
    expect(answer.stack).toContain(`${handler.info.callSite?.file}:${handler.info.callSite?.line}`)
  })

  it('an object with a member "then" is JSON', async () => {
    const schema = JSON.parse('{"if":{},"then":{"type":"string"}}') as object
    const network = create([http.get(url, () => HttpResponse.json(schema))])
    expect(JSON.parse(await read(ask(network)))).toEqual(schema)
  })

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

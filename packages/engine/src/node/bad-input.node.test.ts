import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

import { afterEach, describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { setupServer } from './setup-server.ts'

const server = setupServer()
afterEach(() => {
  server.close()
  server.resetHandlers()
  vi.restoreAllMocks()
})

async function ask(url: string): Promise<IncomingMessage> {
  const [message] = (await once(get(url), 'response')) as [IncomingMessage]
  return message
}

describe('a path', () => {
  test('that is relative matches any origin if there is no page', async () => {
    server.use(http.get('/user/:id', ({ params }) => HttpResponse.text(params.id)))
    server.listen({ onUnhandledRequest: 'error' })
    for (const origin of ['http://a.test', 'https://b.test:8443', 'http://localhost:3000']) {
      expect(await (await fetch(`${origin}/user/5`)).text()).toBe('5')
      expect(await text(await ask(`${origin.replace('https', 'http')}/user/6`))).toBe('6')
    }
  })

  test.each(['%E0%A4%A', '%', '%zz', 'a%2'])(
    'of a URL may contain "%s", which is not a valid escape',
    async (segment) => {
      server.use(http.get('/user/:id', ({ params }) => HttpResponse.text(params.id)))
      server.listen({ onUnhandledRequest: 'error' })
      expect(await (await fetch(`http://a.test/user/${segment}`)).text()).toBe(segment)
      expect(await text(await ask(`http://a.test/user/${segment}`))).toBe(segment)
    },
  )

  test('of a URL may be the names of inherited properties', async () => {
    server.use(http.get('/:__proto__/:constructor', ({ params }) => HttpResponse.json(Object.entries(params))))
    server.listen({ onUnhandledRequest: 'error' })
    const response = await fetch('http://a.test/polluted/toString?__proto__=1', { headers: { cookie: '__proto__=1' } })
    expect(await response.json()).toEqual([
      ['__proto__', 'polluted'],
      ['constructor', 'toString'],
    ])
    expect(Reflect.get({}, 'polluted')).toBe(undefined)
  })
})

describe('a stream that fails', () => {
  const broken = (): ReadableStream =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('some')),
      pull: (controller) => controller.error(new Error('broken')),
    })

  test('in a response, fails for its reader', async () => {
    const finalized = vi.fn<() => void>()
    server.use(
      http.get('/stream', ({ finalize }) => {
        finalize(finalized)
        return new HttpResponse(broken())
      }),
    )
    server.listen({ onUnhandledRequest: 'error' })
    await expect((await fetch('http://a.test/stream')).text()).rejects.toThrow('broken')
    await expect(text(await ask('http://a.test/stream'))).rejects.toThrow('aborted')
    expect(finalized).toHaveBeenCalledTimes(2)
  })

  test('in a request, fails for the resolver that reads it, and is answered with 500', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue(undefined)
    server.use(http.post('/upload', async ({ request }) => HttpResponse.text(await request.text())))
    server.listen({ onUnhandledRequest: 'error' })
    const init = { method: 'POST', body: broken(), duplex: 'half' } as RequestInit
    const response = await fetch('http://a.test/upload', init)
    expect([response.status, await response.json()]).toEqual([500, expect.objectContaining({ message: 'broken' })])
    expect(print).toHaveBeenCalledOnce()
  })

  test('in an unhandled request, fails like without mocking', async () => {
    server.use(http.post('/upload', async ({ request }) => void (await request.text().catch(() => {}))))
    server.listen({ onUnhandledRequest: 'bypass' })
    const init = { method: 'POST', body: broken(), duplex: 'half' } as RequestInit
    await expect(fetch('http://localhost:1/upload', init)).rejects.toBeInstanceOf(TypeError)
  })
})

describe('listen() and close()', () => {
  test('close() without listen() does nothing', async () => {
    const { fetch: native } = globalThis
    server.close()
    expect(globalThis.fetch).toBe(native)
  })

  test('listen() twice asks each handler once', async () => {
    const asked: string[] = []
    server.use(
      http.get('/user', () => void asked.push('asked')),
      http.get('/user', () => HttpResponse.text('mocked')),
    )
    server.listen({ onUnhandledRequest: 'error' })
    server.listen({ onUnhandledRequest: 'bypass' })
    await fetch('http://a.test/user')
    await text(await ask('http://a.test/user'))
    expect(asked).toEqual(['asked', 'asked'])
  })

  test.each([
    ['the strategy itself', 'error', 'the string "error"'],
    ['null', null, 'null'],
    ['a number', 1, 'the number 1'],
  ])('options of listen() that are not an object: %s', (_, options, shown) => {
    expect(() => server.listen(options as never)).toThrow(
      `Failed to listen: ${shown} is not an object with options. Pass an object: server.listen({ onUnhandledRequest: "error" }). (US0414)`,
    )
  })

  test('onUnhandledRequest that throws a value that cannot be converted to text', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
    server.listen({
      onUnhandledRequest() {
        throw Object.create(null)
      },
    })
    await expect(ask('http://a.test/unhandled')).rejects.toThrow('an object with the keys (none)')
    await expect(fetch('http://a.test/unhandled')).rejects.toThrow('fetch failed')
    expect(error).not.toHaveBeenCalled()
  })

  test('a boundary of a value that is not a function', () => {
    expect(() => server.boundary(undefined as never)).toThrow(
      'Failed to create a boundary: undefined is not a function. Pass the function to run in it: server.boundary(async () => { … }). (US0415)',
    )
  })

  test('an invalid option is refused before any request is intercepted', () => {
    const { fetch: native } = globalThis
    expect(() => server.listen({ onUnhandledRequest: 'ignore' as never })).toThrow('"ignore" is not a valid strategy')
    expect(globalThis.fetch).toBe(native)
  })
})

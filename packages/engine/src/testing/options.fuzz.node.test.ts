import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { getResponse, graphql, http, HttpResponse, sse, ws } from '../index.ts'
import { setupServer } from '../node.ts'
import { createFetchHandler } from '../server.ts'
import { fuzzSettings } from './fuzz-settings.ts'
import corpus from './options.corpus.json' with { type: 'json' }

const platformFetch = fetch

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const prototypeNames = Object.getOwnPropertyNames(Object.prototype)
const anything = fc.anything({
  withNullPrototype: true,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSparseArray: true,
})

/** Checks the result of an invalid input: no error, or one with the operation and the reason. */
async function reasonOf(run: () => unknown): Promise<string> {
  try {
    await run()
    return 'Failed to '
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const declarations: Record<string, (value: never, other: never) => unknown> = {
  'http.get': (path, resolver) => http.get(path, resolver),
  'http.get with options': (path, options) => http.get('/a', () => undefined, options),
  'graphql.query': (predicate, resolver) => graphql.query(predicate, resolver),
  'graphql.link': (url, options) => graphql.link(url, options),
  'graphql.schema': (source, options) => graphql.schema(source, options),
  setupServer: (handler, other) => setupServer(handler, other),
  'server.use': (handler) => setupServer().use(handler),
  createFetchHandler: (handlers, options) => createFetchHandler(handlers, options),
  'getResponse of handlers': (handlers, request) => getResponse(handlers, request),
  'getResponse of a request': (request, options) => getResponse([http.get('*', () => undefined)], request, options),
  'ws.link': (url, options) => ws.link(url, options),
  'ws.link with options': (options, listener) =>
    ws.link('wss://app.test', options).addEventListener('connection', listener),
  sse: (path, resolver) => sse(path, resolver),
}

describe.each(Object.entries(declarations))('%s', (_name, declare) => {
  it('takes any input, or refuses it with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(anything, anything, async (value, other) => {
        expect(await reasonOf(() => declare(value as never, other as never))).toMatch(/^(?:\[understudy\] )?Failed to /)
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeNames)
      }),
      fuzzSettings(corpus.inputs as [unknown, unknown][], 300),
    )
  })
})

it('server.listen takes any options, or refuses them with a reason', () => {
  fc.assert(
    fc.property(fc.oneof(anything, fc.record({ onUnhandledRequest: anything })), (options) => {
      const server = setupServer()
      let reason = 'Failed to'
      try {
        server.listen(options as object)
      } catch (error) {
        reason = (error as Error).message
      }
      server.close()
      expect(reason).toMatch(/^Failed to/)
    }),
    fuzzSettings<[unknown]>([], 200),
  )
})

describe('a mocked fetch', () => {
  const server = setupServer(
    http.all('*', async ({ request, cookies, params }) =>
      HttpResponse.json({
        method: request.method,
        url: request.url,
        headers: [...request.headers],
        body: [...new Uint8Array(await request.arrayBuffer())],
        // Names from the request must not set the prototype.
        prototypes: [
          Object.getPrototypeOf(params) === null,
          Object.getPrototypeOf(cookies) === Object.prototype,
          Object.getOwnPropertyNames(Object.prototype).length,
        ],
      }),
    ),
  )
  const token = fc.stringMatching(/^[!#$%&'*+\-.^_`|~\da-z]{1,12}$/)
  const headerName = fc.oneof(token, fc.constantFrom('__proto__', 'constructor', 'cookie', 'x-a'))
  const headerValue = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a=1; __proto__=2', '', ' a ', 'é'),
  )
  const body = fc.option(fc.uint8Array({ maxLength: 40 }), { nil: undefined })
  const method = fc.constantFrom('GET', 'POST', 'put', 'patch', 'DELETE', 'PROPFIND', 'x')
  const url = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string().map((text) => `https://app.test/${text}`),
  )

  it('passes the resolver the same request as new Request()', async () => {
    server.listen({ onUnhandledRequest: 'error' })
    let compared = 0
    await fc.assert(
      fc.asyncProperty(
        url,
        method,
        fc.array(fc.tuple(headerName, headerValue), { maxLength: 4 }),
        body,
        async (address, verb, headers, bytes) => {
          const init: RequestInit = { method: verb, headers, ...(bytes && { body: bytes as BodyInit }) }
          const expected = requestOrNothing(address, init)
          // A request that `Request` refuses is never sent.
          fc.pre(expected !== undefined)
          const told = await ask(fetch, address, init)
          // Node's own fetch refuses some values that Request accepts, such as control characters.
          const isRefused = told instanceof Error
          if (!isRefused) compared += 1
          expect(told).toEqual(
            isRefused
              ? await ask(platformFetch, address, init)
              : {
                  method: expected.method,
                  url: expected.url,
                  headers: [...expected.headers],
                  body: [...(bytes ?? [])],
                  prototypes: [true, true, Object.getOwnPropertyNames(Object.prototype).length],
                },
          )
        },
      ),
      fuzzSettings(corpus.requests as unknown as [string, 'GET', [string, string][], undefined][], 500),
    )
    server.close()
    expect(compared).toBeGreaterThan(100)
  })
})

/** @returns the JSON of the response, or the reason why there is no response */
async function ask(by: typeof fetch, url: string, init: RequestInit): Promise<unknown> {
  try {
    return await (await by(url, init)).json()
  } catch (error) {
    return error
  }
}

function requestOrNothing(url: string, init: RequestInit): Request | undefined {
  try {
    return new Request(url, init)
  } catch {
    return undefined
  }
}

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { withFault } from '../../faults.ts'
import { http, HttpResponse, type RequestHandler } from '../../index.ts'
import { setupServer } from '../../node.ts'
import { writtenHeadersOf } from './written-headers.ts'

const server = setupServer()

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

type Resolver = () => Response

async function rawHeadersOf(resolver: Resolver, ...handlers: RequestHandler[]): Promise<string[]> {
  server.resetHandlers(...handlers, http.get('http://api.test/', resolver))
  const [message] = (await once(get('http://api.test/'), 'response')) as [IncomingMessage]
  message.on('error', () => {}).resume()
  return message.rawHeaders
}

const object = { 'X-Zero': '0', etag: '"a"', 'X-Request-ID': '7' }
const pairs: [string, string][] = [
  ['X-B', '1'],
  ['Set-Cookie', 'a=1'],
  ['x-a', '2'],
  ['SET-COOKIE', 'b=2'],
  ['X-B', '3'],
]

describe('rawHeaders of node:http have the names and the order of the handler', () => {
  test.each<[string, Resolver, string[]]>([
    [
      'an object',
      () => new HttpResponse(null, { headers: object }),
      [...Object.entries(object).flat(), 'Content-Length', '0'],
    ],
    ['a list of pairs', () => new HttpResponse(null, { headers: pairs }), [...pairs.flat(), 'Content-Length', '0']],
    [
      'HttpResponse.json() without headers',
      () => HttpResponse.json(1),
      ['Content-Type', 'application/json', 'Content-Length', '1'],
    ],
    [
      'HttpResponse.json() with headers',
      () => HttpResponse.json(1, { headers: object }),
      [...Object.entries(object).flat(), 'Content-Type', 'application/json', 'Content-Length', '1'],
    ],
    [
      'HttpResponse.text() with another type',
      () => HttpResponse.text('a', { headers: { 'Content-TYPE': 'text/css' } }),
      ['Content-TYPE', 'text/css', 'Content-Length', '1'],
    ],
    [
      'a generator of pairs',
      () =>
        HttpResponse.text('a', {
          headers: (function* () {
            yield* pairs
          })() as never,
        }),
      [...pairs.flat(), 'Content-Type', 'text/plain', 'Content-Length', '1'],
    ],
    ['HttpResponse.redirect()', () => HttpResponse.redirect('/a'), ['Location', '/a', 'Content-Length', '0']],
    [
      'a clone',
      () => new HttpResponse('a', { headers: object }).clone(),
      [...Object.entries(object).flat(), 'Content-Type', 'text/plain;charset=UTF-8', 'Content-Length', '1'],
    ],
    [
      'a body with a fault',
      () => withFault(new HttpResponse('ab', { headers: object }), { kind: 'truncated-body', after: 0 }),
      [...Object.entries(object).flat(), 'Content-Type', 'text/plain;charset=UTF-8'],
    ],
    [
      'a name that is added, one that is changed, one that is deleted',
      () => {
        const response = new HttpResponse(null, { headers: [...pairs, ['X-Gone', 'a']] })
        response.headers.set('X-Late', 'b')
        response.headers.append('x-b', '4')
        response.headers.delete('x-gone')
        return response
      },
      ['X-B', '1, 3, 4', 'Set-Cookie', 'a=1', 'x-a', '2', 'SET-COOKIE', 'b=2', 'x-late', 'b', 'Content-Length', '0'],
    ],
    [
      "the platform's Response, which does not keep the case of names",
      () => new Response('a', { headers: { 'X-B': '1', 'Set-Cookie': 'a=1' } }),
      ['Content-Type', 'text/plain;charset=UTF-8', 'x-b', '1', 'Set-Cookie', 'a=1', 'Content-Length', '1'],
    ],
  ])('of %s', async (_name, resolver, expected) => {
    expect((await rawHeadersOf(resolver)).filter((text) => !/^(?:transfer-encoding|chunked)$/i.test(text))).toEqual(
      expected,
    )
  })

  test('also if listeners get copies, and if a finalizer waits for the body', async () => {
    const listener = (): void => {}
    server.events.on('response:mocked', listener)
    const raw = await rawHeadersOf(
      () => new HttpResponse('a'),
      http.get('http://api.test/', ({ finalize }) => {
        finalize(() => {})
        return new HttpResponse('a', { headers: object })
      }),
    )
    server.events.removeListener('response:mocked', listener)
    expect(raw.slice(0, 6)).toEqual(Object.entries(object).flat())
  })
})

test('the client of undici gets the same headers as before', async () => {
  server.resetHandlers(http.get('http://api.test/', () => new HttpResponse('a', { headers: pairs })))
  const { headers, body } = await request('http://api.test/')
  await body.dump()
  expect(headers).toMatchObject({ 'x-b': ['1', '3'], 'set-cookie': ['a=1', 'b=2'], 'x-a': '2' })
})

test('the names reach fetch in lower case', async () => {
  server.resetHandlers(http.get('http://api.test/', () => new HttpResponse('a', { headers: pairs })))
  const { headers } = await fetch('http://api.test/')
  expect([...headers]).toEqual([
    ['content-type', 'text/plain;charset=UTF-8'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['x-a', '2'],
    ['x-b', '1, 3'],
  ])
})

test('values are normalized by the platform', () => {
  const response = new HttpResponse(null, { headers: { 'X-A': ' a ', 'X-B': 5 as never } })
  expect(writtenHeadersOf(response)).toEqual([
    ['X-A', 'a'],
    ['X-B', '5'],
  ])
})

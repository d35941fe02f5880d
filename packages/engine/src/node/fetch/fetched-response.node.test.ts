import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { real, mocks, outcome, post, read, server, streamOf, streamed } from './testing/real-backend.ts'

function integrityOf(text: string): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`
}

function redirectedWithIntegrity(): Request {
  return new Request(`${real.origin}/to?url=${real.origin}/json`, { integrity: integrityOf('{"id":1}') })
}

/** Aborts a request whose response has arrived, and reads the body. */
async function readAborted(init: RequestInit, reason?: unknown): Promise<string> {
  const controller = new AbortController()
  const response = await fetch(`${real.origin}/echo`, { ...init, signal: controller.signal })
  await nextTurn()
  controller.abort(reason)
  return response.text()
}

/** Node 22 ignores the reason, and its error has another message. */
const abortsBeforeReading: [name: string, run: () => Promise<unknown>][] = process.version.startsWith('v22.')
  ? []
  : [
      ['an abort before the body is read', () => readAborted({})],
      ['an abort before the body is read, with a reason', () => readAborted(post, new RangeError('r'))],
    ]

function used(request: Request): Request {
  void request.text()
  return request
}

describe('a mocked response equals the platform’s response to the same bytes of a server', () => {
  test.each<[name: string, run: () => Promise<Response>]>([
    ['JSON', () => fetch(`${real.origin}/json`)],
    ['a URL object, with query and fragment', () => fetch(new URL(`${real.origin}/json?a=1#part`))],
    ['an error status', () => fetch(`${real.origin}/missing`)],
    ['204', () => fetch(`${real.origin}/no-content`)],
    ['304', () => fetch(`${real.origin}/not-modified`)],
    ['HEAD', () => fetch(`${real.origin}/missing`, { method: 'HEAD' })],
    ['HEAD of a compressed body', () => fetch(`${real.origin}/gzip`, { method: 'HEAD' })],
    ['several Set-Cookie', () => fetch(`${real.origin}/cookies`)],
    ['gzip', () => fetch(`${real.origin}/gzip`)],
    ['deflate', () => fetch(`${real.origin}/deflate`)],
    ['br', () => fetch(`${real.origin}/br`)],
    ['two codings', () => fetch(`${real.origin}/both`)],
    ['an unknown coding', () => fetch(`${real.origin}/unknown-coding`)],
    ['a string body', () => fetch(`${real.origin}/echo`, post)],
    ['URLSearchParams', () => fetch(`${real.origin}/echo`, { method: 'POST', body: new URLSearchParams({ a: 'ä' }) })],
    ['bytes', () => fetch(`${real.origin}/echo`, { method: 'PUT', body: new Uint8Array([104, 105]) })],
    ['a Blob', () => fetch(`${real.origin}/echo`, { method: 'PUT', body: new Blob(['hi'], { type: 'text/x' }) })],
    ['a Request', () => fetch(new Request(`${real.origin}/echo`, post))],
    ['a Request with changes', () => fetch(new Request(`${real.origin}/echo`, post), { method: 'PUT', body: 'other' })],
    ['a Request as options', () => fetch(`${real.origin}/echo`, new Request('http://other.test/', post))],
    ['a subclass of Request', () => fetch(new (class extends Request {})(`${real.origin}/echo`, post))],
    ['a streamed body', () => fetch(`${real.origin}/echo`, streamed('a', 'b'))],
    ['an unknown method', () => fetch(`${real.origin}/echo`, { method: 'PROPFIND' })],
    ['a lower-case method', () => fetch(`${real.origin}/echo`, { method: 'delete' })],
    ['no-cors', () => fetch(`${real.origin}/json`, { mode: 'no-cors' })],
    ['same-origin, redirected', () => fetch(`${real.origin}/to-echo-302`, { mode: 'same-origin' })],
    ['keepalive', () => fetch(`${real.origin}/json`, { keepalive: true, cache: 'no-store', referrer: real.origin })],
    ...['301', '302', '303', '307', '308'].flatMap((status): [string, () => Promise<Response>][] => [
      [`${status} of GET`, () => fetch(`${real.origin}/to-echo-${status}`, { headers: post.headers })],
      [`${status} of POST`, () => fetch(`${real.origin}/to-echo-${status}`, post)],
      [`${status} of PUT`, () => fetch(`${real.origin}/to-echo-${status}`, { ...post, method: 'PUT' })],
      [`${status} of HEAD`, () => fetch(`${real.origin}/to-echo-${status}`, { method: 'HEAD' })],
      [`${status} of a Request`, () => fetch(new Request(`${real.origin}/to-echo-${status}`, post))],
      [`${status}, manual`, () => fetch(`${real.origin}/to-echo-${status}`, { redirect: 'manual' })],
    ]),
    ['a redirect to a redirect', () => fetch(`${real.origin}/twice#part`)],
    [
      'a redirect to another origin',
      () => fetch(`${real.origin}/to?url=${real.crossOrigin}/echo`, { headers: post.headers }),
    ],
    ['a redirect without a location', () => fetch(`${real.origin}/nowhere`)],
    [
      'a body with its integrity',
      () => fetch(`${real.origin}/br`, { integrity: integrityOf('hello '.repeat(10_000)) }),
    ],
    ['an integrity that says nothing', () => fetch(`${real.origin}/json`, { integrity: 'nonsense' })],
    ['a redirect with the integrity of its end', () => fetch(redirectedWithIntegrity())],
  ])('%s', async (_, run) => {
    const native = await read(await run())
    const arrived = real.reached.length
    server.use(...mocks)
    server.listen({ onUnhandledRequest: 'error' })
    expect(await read(await run())).toEqual(native)
    expect(real.reached).toHaveLength(arrived)
  })

  test.each<[name: string, run: () => Promise<unknown>]>([
    ['a redirect, not wanted', () => fetch(`${real.origin}/to-echo-302`, { redirect: 'error' })],
    ['a redirect without a location, not wanted', () => fetch(`${real.origin}/nowhere`, { redirect: 'error' })],
    ['a redirect to another scheme', () => fetch(`${real.origin}/to-ftp`)],
    ['a redirect to no URL', () => fetch(`${real.origin}/to-broken`)],
    ['a redirect to a URL with a password', () => fetch(`${real.origin}/to?url=http://a:b@localhost/echo`)],
    [
      'same-origin, redirected to another',
      () => fetch(`${real.origin}/to?url=${real.crossOrigin}/json`, { mode: 'same-origin' }),
    ],
    ['endless redirects', () => fetch(`${real.origin}/loop`)],
    ['a redirect of a streamed body', () => fetch(`${real.origin}/to-echo-307`, streamed('a'))],
    ['an aborted signal', () => fetch(`${real.origin}/json`, { signal: AbortSignal.abort() })],
    [
      'an aborted signal with a reason',
      () => fetch(`${real.origin}/json`, { signal: AbortSignal.abort(new RangeError('r')) }),
    ],
    ...abortsBeforeReading,
    ['no URL', () => fetch('/json')],
    ['a broken URL', () => fetch('http://[')],
    ['a URL with a password', () => fetch('http://a:b@localhost/')],
    ['a forbidden method', () => fetch(`${real.origin}/json`, { method: 'TRACE' })],
    ['GET with a body', () => fetch(`${real.origin}/json`, { ...post, method: 'GET' })],
    ['a stream without duplex', () => fetch(`${real.origin}/echo`, { method: 'POST', body: streamOf('a') })],
    ['a used Request', () => fetch(used(new Request(`${real.origin}/echo`, post)))],
    ['an unknown scheme', () => fetch('nothing:here')],
    ['an integrity that is wrong', () => fetch(`${real.origin}/json`, { integrity: 'sha256-AAAA' })],
    [
      'an integrity that is wrong after a redirect',
      () => fetch(`${real.origin}/to-echo-302`, { integrity: 'sha256-AAAA' }),
    ],
  ])('the error of %s', async (_, run) => {
    const native = await outcome(run())
    expect(native).toHaveProperty('name')
    server.use(...mocks)
    server.listen({ onUnhandledRequest: 'error' })
    expect(await outcome(run())).toEqual(native)
  })
})

test.each([
  ['mocked', [http.all('*/echo', () => HttpResponse.json({}))]],
  ['bypass', []],
] as const)('an abort ends a body that a listener for response:%s has read', async (kind, handlers) => {
  server.use(...handlers)
  server.listen({ onUnhandledRequest: 'bypass' })
  const copied = new Promise((resolve) => {
    server.events.on(`response:${kind}`, ({ response }) => resolve(response.text()))
  })
  const controller = new AbortController()
  const response = await fetch(`${real.origin}/echo`, { signal: controller.signal })
  await copied
  controller.abort(new RangeError('enough'))
  await expect(response.text()).rejects.toThrow('enough')
  server.events.removeAllListeners()
})

describe('a response of the platform’s class', () => {
  test.each(['/missing', '/no-content', '/json'])('has the status text of a server: %s', async (path) => {
    const { status, statusText } = await fetch(real.origin + path)
    server.use(http.get(`*${path}`, () => new Response(null, { status })))
    server.listen({ onUnhandledRequest: 'error' })
    expect((await fetch(real.origin + path)).statusText).toBe(statusText)
    expect(statusText).not.toBe('')
  })

  test('keeps its own status text, and a status without a text', async () => {
    server.use(
      http.get('*/own', () => new Response('a', { status: 404, statusText: 'Gone fishing' })),
      http.get('*/unregistered', () => new Response('a', { status: 299 })),
    )
    server.listen({ onUnhandledRequest: 'error' })
    const own = await fetch(`${real.origin}/own`)
    const unregistered = await fetch(`${real.origin}/unregistered`)
    expect([own.statusText, await own.text()]).toEqual(['Gone fishing', 'a'])
    expect([unregistered.status, unregistered.statusText, await unregistered.text()]).toEqual([299, '', 'a'])
  })

  test('can be returned several times if it has no body', async () => {
    const response = new Response(null, { status: 401 })
    server.use(http.get('*/same', () => response))
    server.listen({ onUnhandledRequest: 'error' })
    for (const path of ['/same', '/same?again']) {
      const { status, statusText, url } = await fetch(real.origin + path)
      expect([status, statusText, url]).toEqual([401, 'Unauthorized', real.origin + path])
    }
  })
})

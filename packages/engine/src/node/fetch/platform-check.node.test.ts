import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const backend = createServer((request, response) => request.resume().on('end', () => response.end('x')))
const server = setupServer(http.all('*', () => HttpResponse.text('mocked')))
const platformFetch = fetch
let url = ''

beforeAll(async () => {
  backend.listen(0)
  await once(backend, 'listening')
  url = `http://localhost:${(backend.address() as AddressInfo).port}/a`
  server.listen({ onUnhandledRequest: 'error' })
})
afterAll(() => {
  server.close()
  backend.close()
})

type Arguments = [input?: unknown, init?: unknown]

/** The arguments by name. They are created for each call, because a call consumes some of them. */
const calls: Record<string, () => Arguments | Promise<Arguments>> = {}

const framing = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect', 'content-length']
const others = ['host', 'te', 'trailer', 'proxy-connection', 'via', 'cookie', 'origin', 'referer', 'user-agent', 'date']
for (const name of [...framing, ...others]) {
  for (const value of ['x', '3', '5', 'close', 'keep-alive', 'chunked', '100-continue', '', 'a b', 'close, x']) {
    calls[`GET with ${name}: ${value}`] = () => [url, { headers: { [name]: value } }]
    calls[`POST with ${name}: ${value}`] = () => [url, { method: 'POST', body: 'abc', headers: { [name]: value } }]
  }
}
for (let code = 0; code < 256; code += 1) {
  const text = `x${String.fromCharCode(code)}y`
  calls[`the character ${code} in a value`] = () => [url, { headers: { a: text } }]
  calls[`the character ${code} in a name`] = () => [url, { headers: { [text]: 'a' } }]
  calls[`the character ${code} in a method`] = () => [url, { method: text }]
}
for (const text of ['\u0100', '\ud800', '\u{1f600}']) {
  calls[`${JSON.stringify(text)} in a value`] = () => [url, { headers: { a: text } }]
  calls[`${JSON.stringify(text)} in a method`] = () => [url, { method: text }]
}
const methods = [
  'CONNECT',
  'connect',
  'TRACE',
  'TRACK',
  'get',
  'patch',
  'QUERY',
  'FOO',
  '',
  'G T',
  'GET\n',
  null,
  5,
  {},
]
for (const method of methods) calls[`the method ${JSON.stringify(method)}`] = () => [url, { method }]
for (const body of ['', 'a', 0, {}, null]) {
  for (const method of ['GET', 'HEAD'])
    calls[`${method} with the body ${JSON.stringify(body)}`] = () => [url, { method, body }]
}
const options: Record<string, readonly unknown[]> = {
  mode: ['navigate', 'no-cors', 'websocket', 'x'],
  credentials: ['include', 'x'],
  cache: ['no-store', 'only-if-cached', 'x'],
  redirect: ['error', 'x'],
  referrer: ['', '::', 5],
  referrerPolicy: ['no-referrer', 'x'],
  signal: [null, 5, {}, 'x'],
  window: [null, 5],
  duplex: ['half', 'x'],
  priority: ['high', 'x'],
  headers: [
    null,
    5,
    'a',
    [],
    [['a']],
    [['a', 'b', 'c']],
    { a: null },
    { a: {} },
    { a: Symbol('x') },
    true,
    new Date(0),
  ],
  body: [5, {}, true, Symbol('x'), new URLSearchParams('a=b')],
}
for (const [name, values] of Object.entries(options)) {
  for (const [index, value] of values.entries()) {
    calls[`the option ${name}, value ${index}`] = () => [url, { method: 'POST', [name]: value }]
  }
}
const inputs = [
  undefined,
  null,
  '',
  ' ',
  'http://',
  'http://[',
  'http://a:b@localhost/',
  '//a',
  '/a',
  5,
  {},
  Symbol('u'),
]
const schemes = ['ftp://localhost/', 'data:text/plain,hi', 'blob:x', 'about:blank', 'file:///a', 'javascript:1']
const hosts = ['http://localhost:99999/', 'http://a b/', 'http://%zz/']
for (const [index, input] of [...inputs, ...schemes, ...hosts].entries()) {
  calls[`the input ${index}, ${typeof input === 'string' ? input : typeof input}`] = () => [input]
}
for (const [index, init] of [null, 5, 'x', true, Symbol('x'), [], new Date(0)].entries()) {
  calls[`the init ${index}`] = () => [url, init]
}
Object.assign(calls, {
  'no arguments': () => [],
  'a stream without duplex': () => [url, { method: 'POST', body: new ReadableStream() }],
  'a stream in a GET': () => [url, { body: new ReadableStream(), duplex: 'half' }],
  'a request that was used': async () => {
    const request = new Request(url, { method: 'POST', body: 'a' })
    await request.text()
    return [request]
  },
  'a request with a header that is refused': () => [new Request(url, { headers: { expect: 'x' } })],
  'a request with a length that is wrong': () => [
    new Request(url, { method: 'POST', body: 'abc', headers: { 'keep-alive': 'x' } }),
  ],
  'bytes and a length that is wrong': () => [
    url,
    { method: 'PUT', body: new Uint8Array(3), headers: { 'content-length': '4' } },
  ],
  'a body that is locked': () => {
    const { body } = new Response('a')
    body?.getReader()
    return [url, { method: 'POST', body, duplex: 'half' }]
  },
  'a signal that is aborted': () => [url, { signal: AbortSignal.abort(), headers: { expect: 'x' } }],
  'a getter that throws': () => [
    url,
    {
      get method() {
        throw new RangeError('of the getter')
      },
    },
  ],
  'an input that throws': () => [
    {
      toString() {
        throw new RangeError('of toString')
      },
    },
  ],
} satisfies typeof calls)

interface Failure {
  readonly name: unknown
  readonly message: unknown
  readonly isTypeError: boolean
  readonly cause: readonly unknown[] | undefined
}

/** Returns the error of a call, or that it succeeded. */
async function resultOf(
  perform: typeof fetch,
  create: () => Arguments | Promise<Arguments>,
): Promise<Failure | 'response'> {
  try {
    const response = await perform(...((await create()) as Parameters<typeof fetch>))
    await response.text()
    return 'response'
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { name: string; message: string; code?: string } }
    return {
      name,
      message,
      isTypeError: error instanceof TypeError,
      cause: cause && [cause.name, cause.message, cause.code],
    }
  }
}

test(`fetch refuses the same arguments as the platform's fetch, with the same error`, async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const differences: Record<string, unknown> = {}
  let refused = 0
  for (const [name, create] of Object.entries(calls)) {
    const [mocked, real] = [await resultOf(fetch, create), await resultOf(platformFetch, create)]
    if (real !== 'response') refused += 1
    if (JSON.stringify(mocked) !== JSON.stringify(real)) differences[name] = { mocked, real }
  }
  expect(differences).toEqual({})
  expect(refused).toBeGreaterThan(300)
  vi.restoreAllMocks()
}, 60_000)

test('a mocked request with ordinary headers reaches no dispatcher', async () => {
  const response = await fetch('http://unknown.invalid/', {
    method: 'POST',
    body: 'ü',
    headers: { connection: 'keep-alive', 'content-length': '2', a: 'b' },
  })
  expect(await response.text()).toBe('mocked')
})

// The undici of Node 22 refuses every such header.
test.skipIf(process.versions.undici?.startsWith('6.'))(
  'an accepted request keeps its body for the handler',
  async () => {
    server.use(http.post('*', async ({ request }) => HttpResponse.text((await request.text()).toUpperCase())))
    const init = { method: 'POST', headers: { connection: 'x-token' }, duplex: 'half' as const }
    const bodies = ['abc', new Blob(['abc']), new Response('abc').body]
    for (const body of bodies) expect(await (await fetch(url, { ...init, body })).text()).toBe('ABC')
    expect(await (await fetch(new Request(url, { ...init, body: 'abc' }))).text()).toBe('ABC')
    server.resetHandlers()
  },
)

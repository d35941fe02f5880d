import { describe, expect, test, vi } from 'vitest'

import { graphql, http, HttpResponse, type Handler } from '../../index.ts'
import { HandlerLayers } from '../handlers/handler-layers.ts'
import { IncomingRequest } from '../handlers/incoming-request.ts'
import { handleRequest } from '../network/handle-request.ts'
import { Network } from '../network/network.ts'
import { findNearestHandlers } from './nearest-handlers.ts'
import { setUnhandledReport } from './set-unhandled-report.ts'
import * as unhandledReport from './unhandled-report.ts'
import { readUnhandledPolicy } from './unhandled-request.ts'

setUnhandledReport(unhandledReport)

const baseUrl = 'https://app.test/'
const resolve = (): Response => HttpResponse.json({})

/** Returns the warning about an unhandled request. */
async function warn(handlers: Handler[], url: string, init?: RequestInit): Promise<string> {
  const network = new Network(handlers, { baseUrl, unhandled: readUnhandledPolicy({ onUnhandledRequest: 'warn' }) })
  const print = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  await handleRequest(new Request(new URL(url, baseUrl), init), network)
  const [line] = print.mock.lastCall ?? ['']
  print.mockRestore()
  return String(line)
}

describe('the warning of a request that no handler matches', () => {
  test('shows the request, the nearest handlers with their lines, and the missing handler', async () => {
    const handlers = [http.get('/api/users', resolve), http.post('/api/user', resolve), http.get('/posts', resolve)]
    const lines = (await warn(handlers, '/api/user?q=1')).split('\n')
    expect(lines).toEqual([
      '[understudy] No handler matches GET /api/user?q=1 (US0201)',
      '  near: POST /api/user: path matches, method differs: POST expected, GET sent',
      expect.stringMatching(/^ {8}at \S+describe-unhandled\.test\.ts:\d+:\d+$/),
      '  near: GET /api/users: segment 2 differs: `users` expected, `user` sent',
      expect.stringMatching(/^ {8}at \S+describe-unhandled\.test\.ts:\d+:\d+$/),
      '  If it should be mocked, add this handler:',
      "  http.get('/api/user', () => HttpResponse.json({})),",
    ])
  })

  test.each<[method: string, url: string, headers: Record<string, string>, suggestion: string]>([
    ['POST', '/users', {}, "http.post('/users', () => HttpResponse.json({})),"],
    ['HEAD', '/users', {}, "http.head('/users', () => new HttpResponse()),"],
    ['PROPFIND', '/users', {}, "http.all('/users', () => HttpResponse.json({})),"],
    ['GET', '/events', { accept: 'text/event-stream' }, "sse('/events', ({ client }) => client.send({ data: '' })),"],
    // Turbo: a visit or a frame, and a form.
    [
      'GET',
      '/users',
      { accept: 'text/html, application/xhtml+xml' },
      "http.get('/users', () => HttpResponse.html('')),",
    ],
    [
      'POST',
      '/users',
      { accept: 'text/vnd.turbo-stream.html, text/html, application/xhtml+xml' },
      "http.post('/users', () => HttpResponse.html('')),",
    ],
    ['HEAD', '/users', { accept: 'text/html' }, "http.head('/users', () => new HttpResponse()),"],
    [
      'GET',
      '/users',
      { accept: 'application/json, text/html;q=0.5' },
      "http.get('/users', () => HttpResponse.json({})),",
    ],
    ['GET', 'https://api.test/users', {}, "http.get('https://api.test/users', () => HttpResponse.json({})),"],
    [
      'GET',
      '/users/5/posts/507f1f77bcf86cd799439011',
      {},
      "http.get('/users/:id/posts/:id2', () => HttpResponse.json({})),",
    ],
    // At the start of a path, `//` begins a host.
    ['GET', 'https://app.test//api/users', {}, "http.get('https://app.test//api/users', () => HttpResponse.json({})),"],
    ['GET', "/it's/(a)/*", {}, "http.get('/it\\'s/\\\\(a\\\\)/\\\\*', () => HttpResponse.json({})),"],
  ])('suggests a handler for %s %s', async (method, url, headers, suggestion) => {
    const lines = (await warn([], url, { method, headers })).split('\n')
    expect(lines.at(-1)).toBe(`  ${suggestion}`)
  })

  test('the suggested handler matches', async () => {
    const url = "https://app.test/it's/(a)/{b}/*/:c/5/caf%C3%A9?q=1"
    const text = await warn([], url)
    const literal = /http\.get\('(.*)', \(\) => HttpResponse\.json\(\{\}\)\),$/.exec(text)?.[1] ?? ''
    const path = literal.replace(/\\(.)/g, '$1')
    const network = new Network([http.get(path, resolve)], { baseUrl })
    expect(await handleRequest(new Request(url), network)).toHaveProperty('type', 'mocked')
  })

  test('does not show all of a long query', async () => {
    const [line] = (await warn([], `/users?q=${'a'.repeat(500)}`)).split('\n')
    expect(line).toMatch(/^\[understudy\] No handler matches GET \/users\?q=a{77}… \(US0201\)$/)
  })

  test('names at most three handlers, the nearest first', async () => {
    const paths = ['/api/user', '/apis/user', '/api/usersx', '/apix/usersx', '/v1/api/users']
    const text = await warn(
      paths.map((path) => http.post(path, resolve)),
      '/api/users',
    )
    expect(text.match(/near: .*?(?=:)/g)).toEqual([
      'near: POST /v1/api/users',
      'near: POST /api/user',
      'near: POST /api/usersx',
    ])
  })

  test('of GraphQL names the operation', async () => {
    const text = await warn([graphql.query('GetUser', resolve)], '/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query GetUsers { users { id } }' }),
    })
    expect(text).toContain('No handler matches query GetUsers (POST /graphql)')
    expect(text).toContain('near: query GetUser')
    expect(text).toContain('name differs: `GetUser` expected, `GetUsers` sent')
    expect(text).toContain("graphql.query('GetUsers'")
  })

  const operation = (query: string): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })

  test('of a GraphQL request to a wrong URL names the handler of the operation', async () => {
    const api = graphql.link('https://api.test/graphql')
    const handlers = [api.query('GetUser', resolve), api.mutation('GetUser', resolve), api.query('Other', resolve)]
    const lines = (await warn(handlers, 'https://api.test/grapql', operation('query GetUser { user }'))).split('\n')
    expect(lines.filter((line) => !line.includes(' at '))).toEqual([
      '[understudy] No handler matches query GetUser (POST https://api.test/grapql) (US0201)',
      '  near: query GetUser (https://api.test/graphql): ' +
        'endpoint differs: https://api.test/graphql expected, https://api.test/grapql sent',
      expect.stringContaining('type differs: mutation expected, query sent'),
      '  If it should be mocked, add this handler:',
      "  graphql.query('GetUser', () => HttpResponse.json({ data: {} })),",
    ])
  })

  test('of GraphQL is printed without the body if the body never arrives completely', async () => {
    const body = new TransformStream<Uint8Array, Uint8Array>()
    const writer = body.writable.getWriter()
    void writer.write(new TextEncoder().encode('{'))
    const init = { ...operation(''), body: body.readable, duplex: 'half' }
    const text = await warn([graphql.link('https://api.test/graphql').query('GetUser', resolve)], '/other', init)
    expect(text).toContain('No handler matches POST /other')
  })

  test('of an asset is not printed, and no handler is compared', async () => {
    const handler = http.get('/logo.svg', resolve)
    const explain = vi.spyOn(handler, 'explainMismatch')
    expect(await warn([handler], '/logos.svg')).toBe('')
    expect(explain).not.toHaveBeenCalled()
  })
})

describe('the nearest handlers', () => {
  const incoming = (url: string): IncomingRequest =>
    new IncomingRequest(new Request(new URL(url, baseUrl)), 'id', undefined, baseUrl)

  test('include disabled handlers, and `once` handlers that have answered', async () => {
    const once = http.get('/user', resolve, { once: true })
    const layers = new HandlerLayers([once, http.get('/user', resolve)])
    const [first, second] = layers.entries()
    once.isUsed = true
    Object.assign(second ?? {}, { enabled: false })
    expect(findNearestHandlers({ layers }, incoming('/user'))).toEqual([
      { entry: first, difference: 'it matches, but has already answered once', distance: 0 },
      { entry: second, difference: 'it matches, but is switched off', distance: 0 },
    ])
  })

  test('are not searched for if a handler answers', async () => {
    const handler = http.get('/user', resolve)
    const other = http.get('/users', resolve)
    const explain = vi.spyOn(other, 'explainMismatch')
    const network = new Network([handler, other], { baseUrl })
    network.decisions.add(({ nearest }) => nearest())
    expect(await handleRequest(new Request(new URL('/user', baseUrl)), network)).toHaveProperty('type', 'mocked')
    expect(explain).not.toHaveBeenCalled()
  })
})

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { bypass, graphql, http, HttpResponse, passthrough, type Handler } from '../index.ts'
import { createFetchHandler } from './create-fetch-handler.ts'
import { type Running, listen, toRunning } from './testing/serve.ts'

describe('a request that is passed on', () => {
  const reached: IncomingMessage[] = []
  const bytesReached: Buffer[] = []
  const upstream = createServer((request, response) => {
    reached.push(request)
    void buffer(request).then((bytes) => {
      bytesReached.push(bytes)
      const body = bytes.toString()
      if (request.url === '/moved') {
        response.writeHead(302, { location: '/elsewhere' }).end()
        return
      }
      const content = gzipSync(JSON.stringify({ method: request.method, url: request.url, body }))
      response.setHeader('Set-Cookie', ['a=1', 'b=2'])
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': content.length }).end(content)
    })
  })
  let baseUrl: string
  let running: Running

  async function run(list: Handler[], options: Parameters<typeof createFetchHandler>[1]): Promise<string> {
    const server = listen(createFetchHandler(list, options))
    await once(server, 'listening')
    running = toRunning(server)
    return running.origin
  }

  beforeAll(async () => {
    upstream.listen(0)
    await once(upstream, 'listening')
    baseUrl = toRunning(upstream).origin
  })
  afterEach(() => {
    running.close()
    reached.length = 0
  })
  afterAll(() => void upstream.close())

  test('goes unchanged to the origin that the server replaces', async () => {
    const origin = await run([], { baseUrl: `${baseUrl}/ignored`, unhandled: 'passthrough' })
    const response = await fetch(`${origin}/echo?a=1`, { method: 'POST', body: 'Grüße', headers: { accept: 'text/x' } })
    expect(await response.json()).toEqual({ method: 'POST', url: '/echo?a=1', body: 'Grüße' })
    expect([response.headers.get('content-encoding'), response.headers.getSetCookie()]).toEqual([null, ['a=1', 'b=2']])
    const [request] = reached
    expect(request?.headers).toMatchObject({ host: new URL(baseUrl).host, accept: 'text/x', via: '1.1 understudy' })
  })

  test('a response that a resolver fetched is sent with the right headers for its body', async () => {
    const list = [
      http.get('/real', () => fetch(`${baseUrl}/echo`)),
      http.get('/moved', () => fetch(bypass(`${baseUrl}/a`))),
    ]
    const origin = await run(list, undefined)
    for (const [path, url] of [
      ['/real', '/echo'],
      ['/moved', '/a'],
    ] as const) {
      const response = await fetch(origin + path)
      expect(await response.json()).toEqual({ method: 'GET', url, body: '' })
      expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
      expect(response.headers.get('content-encoding')).toBe(null)
    }
  })

  test('goes there unchanged after it was parsed as GraphQL', async () => {
    const list = [
      graphql.query('Other', () => HttpResponse.json({})),
      graphql.query('Seen', async ({ request }) => {
        await request.text()
      }),
    ]
    const origin = await run(list, { baseUrl, unhandled: 'perform' })
    const headers = { 'content-type': 'application/json' }
    const none = JSON.stringify({ query: 'Grüße' })
    // The last body is not UTF-8: reading it as text would change its bytes.
    const bodies = [none, JSON.stringify({ query: 'query Seen { a }' }), new Uint8Array([0x7b, 0xff, 0x7d])]
    for (const body of bodies) {
      const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body })
      const sent = typeof body === 'string' ? body : new TextDecoder().decode(body)
      expect(await response.json()).toEqual({ method: 'POST', url: '/graphql', body: sent })
      expect(reached.pop()?.headers['content-type']).toBe('application/json')
    }
    expect(bytesReached.at(-1)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
  })

  test('goes there by passthrough() and bypass(), too', async () => {
    const list = [
      http.get('/passed', () => passthrough()),
      http.get('/patched', async ({ request }) => {
        const real = (await (await fetch(bypass(request))).json()) as object
        return HttpResponse.json({ ...real, isPatched: true })
      }),
    ]
    const origin = await run(list, { baseUrl })
    expect(await (await fetch(`${origin}/passed`)).json()).toMatchObject({ url: '/passed' })
    expect(await (await fetch(`${origin}/patched`)).json()).toMatchObject({ url: '/patched', isPatched: true })
  })

  test('leaves a redirect to the client', async () => {
    const origin = await run([], { baseUrl, unhandled: 'passthrough' })
    const response = await fetch(`${origin}/moved`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/elsewhere'])
  })

  test('does not loop', async () => {
    const origin = await run([], { unhandled: 'passthrough' })
    const response = await fetch(`${origin}/user`)
    expect(response.status).toBe(508)
    expect(await response.text()).toContain(`Failed to pass on GET ${origin}/user: it leads back to this server.`)
  })

  test('fails with the platform’s error if the upstream cannot be reached', async () => {
    const serveNowhere = createFetchHandler([], { baseUrl: 'http://localhost:9', unhandled: 'passthrough' })
    await run([], {})
    await expect(serveNowhere(new Request('http://localhost/user'))).rejects.toThrow(TypeError)
  })
})

import { once } from 'node:events'
import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import net, { type NetConnectOpts } from 'node:net'
import { text } from 'node:stream/consumers'

import axios, { type AxiosAdapter } from 'axios'
import followRedirects from 'follow-redirects'
import got from 'got'
import ky from 'ky'
import minipassFetch from 'minipass-fetch'
import needle from 'needle'
import nodeFetch from 'node-fetch'
import superagent from 'superagent'
import * as undici from 'undici'

/** An unusual request that a client can make. */
export interface OddRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Makes a request. Resolves with `<status> <body>`. */
export type OddClient = (origin: string, request: OddRequest) => Promise<string>

type Requester = (url: string, options: RequestOptions) => http.ClientRequest

function byRequest(request: Requester, options: RequestOptions = {}): OddClient {
  return async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    const target = path === '*' ? { path } : {}
    const url = path === '*' ? origin : origin + path
    const message = request(url, { method, headers, ...target, ...options })
    if (headers.Expect === '100-continue') {
      message.flushHeaders()
      message.once('continue', () => message.end(body))
    } else message.end(body)
    const [response] = (await once(message, 'response')) as [IncomingMessage]
    return `${response.statusCode} ${await text(response)}`
  }
}

type FetchLike = (url: string, init: RequestInit) => Promise<{ status: number; text(): Promise<string> }>

function byFetch(fetchLike: FetchLike): OddClient {
  return async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    const response = await fetchLike(origin + path, { method, headers, ...(body !== undefined && { body }) })
    return `${response.status} ${await response.text()}`
  }
}

function byDispatcher(create: (origin: string) => undici.Dispatcher): OddClient {
  const dispatchers = new Map<string, undici.Dispatcher>()
  return async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    let dispatcher = dispatchers.get(origin)
    if (!dispatcher) dispatchers.set(origin, (dispatcher = create(origin)))
    const options = { origin, path, method, headers, body: body ?? null }
    try {
      const response = await dispatcher.request(options)
      return `${response.statusCode} ${await response.body.text()}`
    } catch (error) {
      // A pool that has refused a request sends no more requests.
      dispatchers.delete(origin)
      void dispatcher.destroy()
      throw error
    }
  }
}

function byAxios(adapter: 'http' | 'fetch'): OddClient {
  const client = axios.create({ adapter: adapter as unknown as AxiosAdapter })
  return async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    const url = origin + path
    const options = { url, method, headers, data: body, responseType: 'text', validateStatus: () => true } as const
    const { status, data } = await client.request<string>(options)
    return `${status} ${data}`
  }
}

/** An agent that gives a request its socket after the socket has connected. */
class LateAgent extends http.Agent {
  override createConnection(
    options: http.ClientRequestArgs,
    callback?: (error: Error | null, socket: net.Socket) => void,
  ): undefined {
    const socket = net.connect(options as NetConnectOpts)
    socket.once('connect', () => callback?.(null, socket))
  }
}

const insecure = { connect: { rejectUnauthorized: false } }

/** Creates HTTP clients without connections, by name. */
export const createOddClients = (): Record<string, OddClient> => ({
  'http with its global agent': byRequest(http.request),
  'http without an agent': byRequest(http.request, { agent: false }),
  'http with an agent that keeps connections': byRequest(http.request, {
    agent: new http.Agent({ keepAlive: true, maxSockets: 1 }),
  }),
  'http with an agent of two connections': byRequest(http.request, {
    agent: new http.Agent({ keepAlive: true, maxSockets: 2, scheduling: 'fifo' }),
  }),
  'http with an agent that keeps none': byRequest(http.request, { agent: new http.Agent({ keepAlive: false }) }),
  'http with createConnection': byRequest(http.request, {
    createConnection: (options) => net.connect(options as NetConnectOpts),
  }),
  'http with an agent that connects first': byRequest(http.request, {
    agent: new LateAgent({ keepAlive: true, maxSockets: 1 }),
  }),
  https: byRequest(https.request, { agent: new https.Agent({ keepAlive: false, rejectUnauthorized: false }) }),
  'https with an agent that keeps connections': byRequest(https.request, {
    agent: new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false }),
  }),
  'follow-redirects': byRequest(followRedirects.http.request as Requester),
  'undici.request': async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    const options = { method, headers, body: body ?? null }
    const response = await undici.request(origin + path, options)
    return `${response.statusCode} ${await response.body.text()}`
  },
  'undici.stream': async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    const { PassThrough } = await import('node:stream')
    const target = new PassThrough()
    let status = 0
    const options = { method, headers, body: body ?? null }
    const done = undici.stream(origin + path, options, ({ statusCode }) => {
      status = statusCode
      return target
    })
    const read = text(target)
    await done
    return `${status} ${await read}`
  },
  'undici.pipeline': async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    let status = 0
    const options = { method, headers }
    const duplex = undici.pipeline(origin + path, options, ({ statusCode, body: received }) => {
      status = statusCode
      return received
    })
    duplex.end(body)
    return `${status} ${await text(duplex)}`.replace(/^0/, String(status))
  },
  'undici.fetch': byFetch(undici.fetch as unknown as FetchLike),
  'Agent of undici': byDispatcher(() => new undici.Agent(insecure)),
  'Pool of undici': byDispatcher((origin) => new undici.Pool(origin, { connections: 2, ...insecure })),
  'Client of undici': byDispatcher((origin) => new undici.Client(origin, { pipelining: 5, ...insecure })),
  'RetryAgent of undici': byDispatcher(() => new undici.RetryAgent(new undici.Agent(insecure), { maxRetries: 0 })),
  'Agent of undici with interceptors': byDispatcher(() =>
    new undici.Agent(insecure).compose(
      undici.interceptors.retry({ maxRetries: 0 }),
      undici.interceptors.redirect({ maxRedirections: 1 }),
      undici.interceptors.dns(),
    ),
  ),
  got: async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    const options = {
      method: method as 'GET',
      headers,
      retry: { limit: 0 },
      throwHttpErrors: false,
      allowGetBody: true,
    }
    const response = await got(origin + path, { ...options, ...(body !== undefined && { body }) })
    return `${response.statusCode} ${response.body}`
  },
  axios: byAxios('http'),
  'axios by fetch': byAxios('fetch'),
  ky: byFetch((url, init) => ky(url, { ...init, retry: 0, throwHttpErrors: false })),
  'node-fetch': byFetch(nodeFetch as unknown as FetchLike),
  'minipass-fetch': byFetch(minipassFetch),
  superagent: async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    const response = await superagent(method, origin + path)
      .set(headers)
      .ok(() => true)
      .buffer(true)
      .parse((message, callback) => {
        let read = ''
        message.on('data', (chunk: Buffer) => (read += chunk.toString('latin1')))
        message.on('end', () => callback(null, read))
      })
      .send(body)
    return `${response.status} ${String(response.body)}`
  },
  needle: async (origin, { method = 'GET', path = '/odd', headers = {}, body }) => {
    if (path === '*') throw new TypeError('Invalid URL')
    const options = { headers, parse: false, follow_max: 0 }
    const response = await needle(method.toLowerCase() as 'get', origin + path, body ?? null, options)
    return `${response.statusCode} ${String(response.body)}`
  },
})

/**
 * The clients that use the global `fetch`. The replaced `fetch` accepts requests that Node's own rejects before it
 * sends them.
 */
export const clientsByFetch: readonly string[] = ['axios by fetch', 'ky']

/** The requests that every client makes. */
export const oddRequests: Record<string, OddRequest> = {
  plain: {},
  'Connection: close': { headers: { Connection: 'close' } },
  'Connection: TE, close': { headers: { Connection: 'TE, close', TE: 'trailers' } },
  'Connection: keep-alive, X': { headers: { Connection: 'keep-alive, X-Odd', 'X-Odd': '1' } },
  'Proxy-Connection: close': { headers: { 'Proxy-Connection': 'close' } },
  'Keep-Alive': { headers: { 'Keep-Alive': 'timeout=1, max=1' } },
  'Upgrade: h2c': {
    headers: { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' },
  },
  'Expect: 100-continue': { method: 'POST', headers: { Expect: '100-continue' }, body: 'body' },
  'Expect of something else': { headers: { Expect: 'pizza' } },
  'an empty header': { headers: { 'X-Empty': '' } },
  'a header of 40 KB': { headers: { 'X-Long': 'x'.repeat(40_000) } },
  'a header of Latin-1': { headers: { 'X-Name': 'Gr\u00fc\u00dfe' } },
  'a header named __proto__': { headers: JSON.parse('{"__proto__": "x"}') as Record<string, string> },
  'another Host': { headers: { Host: 'elsewhere.test' } },
  'Accept-Encoding: identity': { headers: { 'Accept-Encoding': 'identity' } },
  'a range': { headers: { Range: 'bytes=0-3' } },
  'a POST with text': { method: 'POST', body: 'text' },
  'a POST without a body': { method: 'POST' },
  'a POST of 200 KB': { method: 'POST', body: 'x'.repeat(200_000) },
  'a POST that closes': { method: 'POST', headers: { Connection: 'close' }, body: 'text' },
  'Transfer-Encoding: chunked': { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' }, body: 'text' },
  'a Content-Length that is too small': { method: 'POST', headers: { 'Content-Length': '2' }, body: 'text' },
  'a GET with a body': { method: 'GET', body: 'text' },
  'a DELETE with a body': { method: 'DELETE', body: 'text' },
  PUT: { method: 'PUT', body: 'text' },
  PATCH: { method: 'PATCH', body: 'text' },
  HEAD: { method: 'HEAD' },
  OPTIONS: { method: 'OPTIONS' },
  PROPFIND: { method: 'PROPFIND', body: '<x/>' },
  'M-SEARCH': { method: 'M-SEARCH' },
  TRACE: { method: 'TRACE' },
  'an unknown method': { method: 'FROBNICATE' },
  'a target with two slashes': { path: '//odd//path' },
  'a target with escapes': { path: '/o%64d/%2F?a=%zz&b=1' },
  'a target with a long query': { path: `/odd?${'q=1&'.repeat(4000)}` },
  'a target of an asterisk': { method: 'OPTIONS', path: '*' },
}

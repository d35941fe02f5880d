import { failure } from '../core/failure.ts'
import { checkHandlers } from '../core/handlers/check-handlers.ts'
import type { Handler } from '../core/handlers/request-handler.ts'
import { describeMiss } from '../core/network/describe-miss.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { IncomingRequest } from '../core/network/incoming-request.ts'
import { findNearestHandlers } from '../core/network/nearest-handlers.ts'
import { Network } from '../core/network/network.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../core/network/unhandled-request.ts'
import { removeBypassMark } from '../core/responses/bypass.ts'
import { setCookiesOf } from '../core/responses/http-response.ts'

/** Options of {@link createFetchHandler}. */
export interface FetchHandlerOptions extends UnhandledOptions {
  /** What relative paths are relative to. Default: any origin. */
  baseUrl?: string
  /** What an unhandled request gets: `'not-found'` (default) a 404 that names the nearest handlers, `'perform'` the network's answer. */
  unhandled?: 'not-found' | 'perform'
}

/** A server as Fetch-style platforms call it. */
export type FetchHandler = (request: Request) => Promise<Response>

/**
 * Makes a server of handlers, for `node:http`, Hono, Workers and everything else that speaks `Request` and `Response`.
 *
 * A resolver's network error rejects: the platform closes the connection or answers 500, as it does for its own.
 *
 * @throws where a list holds something that is no handler, or an option is none
 * @example
 * export default { fetch: createFetchHandler(handlers) } // a Worker
 * @example
 * new Hono().all('*', (context) => serve(context.req.raw)) // const serve = createFetchHandler(handlers)
 */
export function createFetchHandler(handlers: readonly Handler[], options: FetchHandlerOptions = {}): FetchHandler {
  checkHandlers('create a server', handlers, (index) => `item ${index + 1}`)
  const { baseUrl, unhandled = 'not-found', ...policy } = options
  if (unhandled !== 'not-found' && unhandled !== 'perform') {
    throw failure('create a server', `"unhandled" is ${JSON.stringify(unhandled)}`, 'Use "not-found" or "perform".')
  }
  const network = new Network(handlers, {
    ...(baseUrl !== undefined && { baseUrl }),
    unhandled: readUnhandledPolicy({ onUnhandledRequest: 'bypass', ...policy }),
  })

  return async (request) => {
    const outcome = await handleRequest(request.clone(), network)
    switch (outcome.type) {
      case 'mocked':
        return showCookies(outcome.response)
      case 'network-error':
        throw outcome.error
      case 'unhandled':
        if (unhandled === 'not-found') return notFound(request, network)
        return perform(request)
      case 'passthrough':
        return perform(request)
    }
  }
}

/** A server sends what a browser's `Response` hides. */
function showCookies(response: Response): Response {
  const missing = setCookiesOf(response).filter((setCookie) => !response.headers.getSetCookie().includes(setCookie))
  for (const setCookie of missing) response.headers.append('set-cookie', setCookie)
  return response
}

function notFound(request: Request, network: Network): Response {
  const incoming = new IncomingRequest(request, '', network.cookies, network.baseUrl)
  const text = describeMiss(incoming, findNearestHandlers(network, incoming))
  return new Response(`${text}\n`, { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

function perform(request: Request): Promise<Response> {
  const headers = new Headers(request.headers)
  removeBypassMark(headers)
  return fetch(new Request(request, { headers }))
}

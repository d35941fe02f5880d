import { failure, withCode } from '../core/failure.ts'
import { describe, readHandlers, type HandlersInput } from '../core/handlers/check-handlers.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { IncomingRequest } from '../core/network/incoming-request.ts'
import { Network } from '../core/network/network.ts'
import { Request, Response } from '../core/platform.ts'
import { setCookiesOf } from '../core/responses/http-response.ts'
import { parseUrl } from '../core/routing/parse-url.ts'
import { carryOut } from '../core/source.ts'
import { describeUnhandled } from '../core/unhandled/describe-unhandled.ts'
import { findNearestHandlers } from '../core/unhandled/nearest-handlers.ts'
import { readUnhandled } from '../core/unhandled/read-unhandled.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../core/unhandled/unhandled-request.ts'
import { OwnedBody } from './owned-body.ts'
import { passOn } from './pass-on.ts'
import { withTrueLength } from './true-length.ts'

/** Options of {@link createFetchHandler}. */
export interface FetchHandlerOptions extends UnhandledOptions {
  /**
   * The origin that the server stands in for: requests count as made to it, so that handlers of its absolute URLs answer,
   * and those passed on go there. A path in it is ignored. Default: the origin that a request names.
   */
  baseUrl?: string
  /**
   * The response to a request that no handler matches. `'not-found'` (default): status 404, with the nearest handlers.
   * `'passthrough'`: the response of the network; `'perform'` is an earlier name for it. `onUnhandledRequest` sets what
   * is printed; default: nothing.
   */
  unhandled?: 'not-found' | 'passthrough' | 'perform'
}

/** A server as Fetch-style platforms call it. */
export type FetchHandler = (request: Request) => Promise<Response>

/**
 * Makes a server of handlers, for `node:http`, Hono, Workers and everything else that speaks `Request` and `Response`.
 *
 * A resolver's network error rejects: the platform closes the connection or answers 500, as it does for its own.
 *
 * @throws {UnderstudyError} if the list contains a value that is not a handler, or an option is not valid
 * @example
 * export default { fetch: createFetchHandler(handlers) } // a Worker
 * @example
 * const serve = createFetchHandler(handlers, { baseUrl: 'https://api.example.com' })
 * new Hono().all('*', (context) => serve(context.req.raw))
 */
export function createFetchHandler(handlers: HandlersInput = [], options: FetchHandlerOptions = {}): FetchHandler {
  const list = readHandlers('create a server', [handlers])
  const { baseUrl, unhandled = 'not-found', ...policy } = options
  const origin = readOrigin(baseUrl)
  if (!['not-found', 'passthrough', 'perform'].includes(unhandled)) {
    throw failure(
      'US1007',
      'create a server',
      `"unhandled" is ${describe(unhandled)}`,
      'Use "not-found" or "passthrough".',
    )
  }
  const network = new Network(list, {
    ...(origin !== undefined && { baseUrl: origin }),
    unhandled: readUnhandledPolicy({ onUnhandledRequest: 'bypass', ...policy }),
  })

  return async (given) => {
    const request = origin === undefined ? given : moveTo(origin, given)
    const body = new OwnedBody(request)
    const outcome = await handleRequest(request, network, undefined, body)
    return carryOut<Response | Promise<Response>>(outcome, {
      respond: (response) => withTrueLength(showCookies(response), request),
      fail(error) {
        throw error
      },
      passthrough: ({ type }) =>
        type === 'unhandled' && unhandled === 'not-found' ? notFound(request, body, network) : passOn(body.whole()),
    })
  }
}

function readOrigin(baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined) return undefined
  const url = parseUrl(baseUrl)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin
  const action = 'Use an absolute URL: "https://api.example.com".'
  throw failure(
    'US1008',
    'create a server',
    `"baseUrl" is ${describe(baseUrl)}, which is not an http: or https: URL`,
    action,
  )
}

/** The same request, as made to another origin. */
function moveTo(origin: string, request: Request): Request {
  const { pathname, search } = new URL(request.url)
  // Not by the URL's parser: a path may begin with two slashes.
  const moved = new Request(`${origin}${pathname}${search}`, request)
  moved.headers.delete('host')
  return moved
}

/** A server sends what a browser's `Response` hides. */
function showCookies(response: Response): Response {
  const missing = setCookiesOf(response).filter((setCookie) => !response.headers.getSetCookie().includes(setCookie))
  for (const setCookie of missing) response.headers.append('set-cookie', setCookie)
  return response
}

async function notFound(request: Request, body: OwnedBody, network: Network): Promise<Response> {
  // Relative paths are relative to wherever the server is.
  const baseUrl = network.baseUrl ?? new URL(request.url).origin
  const incoming = new IncomingRequest(request, '', network.cookies, baseUrl, body)
  await readUnhandled(incoming, network)
  const text = withCode('US1014', describeUnhandled(incoming, findNearestHandlers(network, incoming)))
  return new Response(`${text}\n`, { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

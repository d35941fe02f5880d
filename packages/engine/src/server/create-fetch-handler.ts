import { describe } from '../core/describe.ts'
import { failure, withCode } from '../core/failure.ts'
import { readHandlers, type HandlersInput } from '../core/handlers/check-handlers.ts'
import { IncomingRequest } from '../core/handlers/incoming-request.ts'
import { isPromise } from '../core/is-promise.ts'
import { cookieJarOf } from '../core/network/cookie-jar-of.ts'
import { handleAtOnce } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import { readUnhandled } from '../core/network/read-unhandled.ts'
import { Request, Response } from '../core/platform.ts'
import { hiddenSetCookiesOf } from '../core/responses/http-response.ts'
import { parseUrl } from '../core/routing/parse-url.ts'
import { carryOut } from '../core/source.ts'
import { describeUnhandled } from '../core/unhandled/describe-unhandled.ts'
import { findNearestHandlers } from '../core/unhandled/nearest-handlers.ts'
import { setUnhandledReport } from '../core/unhandled/set-unhandled-report.ts'
import * as unhandledReport from '../core/unhandled/unhandled-report.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../core/unhandled/unhandled-request.ts'
import { OwnedBody } from './owned-body.ts'
import { asSent, passOn } from './pass-on.ts'
import { withTrueCoding } from './true-coding.ts'
import { withTrueLength } from './true-length.ts'

setUnhandledReport(unhandledReport)

/** Options of {@link createFetchHandler}. */
export interface FetchHandlerOptions extends UnhandledOptions {
  /**
   * The origin that the server replaces. Handlers see requests to this origin, so that handlers with its absolute URLs
   * answer, and passthrough requests go there. A path in it is ignored. Default: the origin of each request.
   */
  baseUrl?: string
  /**
   * The response to a request that no handler matches. `'not-found'` (default): status 404, with the nearest handlers.
   * `'passthrough'`: the response of the network; `'perform'` is an earlier name of `'passthrough'`.
   * `onUnhandledRequest` sets what
   * is printed; default: nothing.
   */
  unhandled?: 'not-found' | 'passthrough' | 'perform'
}

/** A server as a function of `Request` and `Response`. */
export type FetchHandler = (request: Request) => Promise<Response>

/**
 * Creates a server from handlers, for Hono, Workers and all other platforms that use `Request` and `Response`. If a
 * resolver returns a network error, the promise rejects, and the platform closes the connection or responds with the
 * status 500.
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
    const decided = handleAtOnce(request, network, undefined, body)
    // Await only promises: `await` would cost time for every request.
    const outcome = isPromise(decided) ? await decided : decided
    return carryOut<Response | Promise<Response>>(outcome, {
      respond(response) {
        const coded = withTrueCoding(asSent(showCookies(response)), request)
        return isPromise(coded)
          ? coded.then((checked) => withTrueLength(checked, request))
          : withTrueLength(coded, request)
      },
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

/** Returns the same request to another origin. */
function moveTo(origin: string, request: Request): Request {
  const { pathname, search } = new URL(request.url)
  // Do not resolve the path with `new URL(path, origin)`: a path may begin with two slashes.
  const moved = new Request(`${origin}${pathname}${search}`, request)
  moved.headers.delete('host')
  return moved
}

/** Adds the `Set-Cookie` headers that a browser's `Response` hides. */
function showCookies(response: Response): Response {
  for (const setCookie of hiddenSetCookiesOf(response) ?? []) {
    if (!response.headers.getSetCookie().includes(setCookie)) response.headers.append('set-cookie', setCookie)
  }
  return response
}

async function notFound(request: Request, body: OwnedBody, network: Network): Promise<Response> {
  // Relative paths match at any origin of the server.
  const baseUrl = network.baseUrl ?? new URL(request.url).origin
  const incoming = new IncomingRequest(request, '', cookieJarOf(network), baseUrl, body)
  await readUnhandled(incoming, network)
  const text = withCode('US1014', describeUnhandled(incoming, findNearestHandlers(network, incoming)))
  return new Response(`${text}\n`, { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

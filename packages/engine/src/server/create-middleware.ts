import type { ServerResponse } from 'node:http'

import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import { checkHandlers } from '../core/handlers/check-handlers.ts'
import type { Handler } from '../core/handlers/request-handler.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import { setCookiesOf } from '../core/responses/http-response.ts'
import { carryOut } from '../core/source.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../core/unhandled/unhandled-request.ts'
import { allowOrigin, allowPreflight, isPreflight } from './cors.ts'
import { sendResponse, toRequest, type ParsedMessage } from './node-messages.ts'
import { asSent } from './pass-on.ts'
import { withTrueCoding } from './true-coding.ts'
import { withTrueLength } from './true-length.ts'

/** Options of {@link createMiddleware}. */
export interface MiddlewareOptions extends UnhandledOptions {
  /** Lets pages of other origins read the responses of handlers, and answers preflights for them. Default: `false`. */
  cors?: boolean
}

/** A middleware for Connect, Express and servers built on them, such as the dev servers of Vite and webpack. */
export type Middleware = (request: ParsedMessage, response: ServerResponse, next: (error?: unknown) => void) => void

/**
 * Creates a middleware from handlers. A request that no handler answers, or that a handler passes through, goes to the
 * next middleware. Relative paths are relative to the path at which the middleware is mounted. A network error closes
 * the connection.
 *
 * @param options `onUnhandledRequest`: default `'bypass'`
 * @throws {UnderstudyError} if the list contains a value that is not a handler, or an option is not valid
 * @example
 * const app = express()
 * app.use('/api', createMiddleware(handlers))
 */
export function createMiddleware(handlers: readonly Handler[], options: MiddlewareOptions = {}): Middleware {
  if (!Array.isArray(handlers)) {
    const reason = `its handlers are ${describe(handlers)}`
    throw failure(
      'US1009',
      'create a middleware',
      reason,
      'Pass an array: createMiddleware([http.get(path, resolver)]).',
    )
  }
  checkHandlers('create a middleware', handlers, (index) => `item ${index + 1}`)
  const { cors = false, ...policy } = options
  const unhandled = readUnhandledPolicy({ onUnhandledRequest: 'bypass', ...policy })
  /** The networks by origin: each origin has its own cookies, and relative paths are relative to it. */
  const networks = new Map<string, Network>()
  const networkOf = (origin: string): Network => {
    const known = networks.get(origin)
    if (known) return known
    // Limit the number of networks, because clients choose the host header.
    if (networks.size === maximalOrigins) networks.clear()
    const network = new Network(handlers, { baseUrl: origin, unhandled })
    networks.set(origin, network)
    return network
  }

  async function answer(message: ParsedMessage, to: ServerResponse): Promise<Result> {
    const { request, body, isStreamUsed } = toRequest(message)
    const outcome = await handleRequest(request, networkOf(new URL(request.url).origin), undefined, body)
    return carryOut<Result | Promise<Result>>(outcome, {
      async respond(response): Promise<Result> {
        const sent = await withTrueLength(await withTrueCoding(asSent(response), request), request)
        await sendResponse(showHeaders(sent, request, cors), to)
        return 'answered'
      },
      fail() {
        to.destroy()
        return 'answered'
      },
      async passthrough(): Promise<Result> {
        if (cors && isPreflight(request)) {
          await sendResponse(allowPreflight(request), to)
          return 'answered'
        }
        if (!isStreamUsed()) return 'next'
        throw failure(
          'US1010',
          `pass on ${request.method} ${request.url}`,
          'a handler read its body, and left the request to the next middleware',
          'Put a body parser, such as express.json(), before the handlers.',
        )
      },
    })
  }

  async function run(...[message, to, next]: Parameters<Middleware>): Promise<void> {
    let result: Result
    try {
      result = await answer(message, to)
    } catch (error) {
      next(error)
      return
    }
    if (result === 'next') next()
  }

  return (message, to, next) => void run(message, to, next)
}

type Result = 'answered' | 'next'

const maximalOrigins = 100

/** Returns the response with the headers that a browser's `Response` hides, and with CORS headers. */
export function showHeaders(response: Response, request: Request, cors: boolean): Response {
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  for (const setCookie of setCookiesOf(response)) headers.append('set-cookie', setCookie)
  if (cors) allowOrigin(headers, request)
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

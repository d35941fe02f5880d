import { failure } from '../failure.ts'
import { checkHandlers } from '../handlers/check-handlers.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { handleRequest } from './handle-request.ts'
import { Network } from './network.ts'
import { readUnhandledPolicy } from './unhandled-request.ts'

/**
 * What handlers answer to a request, without anything being intercepted.
 *
 * @param options `baseUrl`: what relative paths are relative to; default: the page's URL, where there is one
 * @returns the response; `Response.error()` for a network error; nothing where no handler answers
 * @throws where a list holds something that is no handler, the body was already read, or `baseUrl` is not absolute
 * @example
 * const response = await getResponse(handlers, new Request('https://example.com/user/5'))
 */
export async function getResponse(
  handlers: readonly Handler[],
  request: Request,
  options: { baseUrl?: string } = {},
): Promise<Response | undefined> {
  checkHandlers('get a response', handlers, (index) => `item ${index + 1}`)
  if (request.bodyUsed) {
    throw failure(
      'get a response',
      `the body of ${request.method} ${request.url} was already read`,
      'Pass request.clone() to whoever reads it before.',
    )
  }
  const unhandled = readUnhandledPolicy({ onUnhandledRequest: 'bypass' })
  const network = new Network(handlers, { ...options, unhandled })
  const outcome = await handleRequest(request.clone(), network)
  if (outcome.type === 'mocked') return outcome.response
  if (outcome.type === 'network-error') return Response.error()
  return undefined
}

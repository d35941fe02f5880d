import { formatCallSite } from '../call-site.ts'
import { failure, print } from '../failure.ts'
import { describe } from '../handlers/check-handlers.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { HttpResponse, setCookiesOf } from '../responses/http-response.ts'
import { onStreamEnd, type Finalizers } from './finalizers.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { Network } from './network.ts'
import type { Outcome } from './outcome.ts'

/** The response, which runs the finalizers when its body was read to the end; at once where it has none. */
export function finalizeAfter(response: Response, finalizers: Finalizers): Response {
  if (finalizers.isEmpty) return response
  if (response.body === null) {
    finalizers.run()
    return response
  }
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  for (const setCookie of setCookiesOf(response)) headers.append('set-cookie', setCookie)
  return new HttpResponse(
    onStreamEnd(response.body, () => finalizers.run()),
    { status, statusText, headers },
  )
}

/** What a server would answer when its code throws. Listeners are told, and so is the console: a mock is at fault. */
export function toErrorResponse(
  thrown: unknown,
  handler: RequestHandler,
  incoming: IncomingRequest,
  network: Network,
): Response {
  const error = isError(thrown) ? thrown : new Error(typeof thrown === 'string' ? thrown : describe(thrown))
  network.events.emit('unhandledException', () => ({ request: incoming.copy(), requestId: incoming.id, error }))
  print.error(
    `The handler ${nameHandler(handler)} threw while it answered ${incoming.method} ${incoming.url.href}. ` +
      'The request is answered with "500 Internal Server Error". The error:',
    thrown,
  )
  const { name, message, stack } = error
  return HttpResponse.json({ name, message, stack }, { status: 500 })
}

/** A request that a handler lets fail. */
export function networkErrorBy({ method, url }: IncomingRequest, handler: RequestHandler, reason?: string): Outcome {
  const error = failure(
    `perform ${method} ${url.href}`,
    reason ?? `the handler ${nameHandler(handler)} answers with a network error`,
    reason ? `The handler ${nameHandler(handler)} asks for this.` : 'This is what the handler asks for.',
  )
  return { type: 'network-error', error }
}

/** An error of this realm or another (jsdom and frames bring their own). */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}

/** A handler, with the line where it was written. */
export function nameHandler({ info }: Pick<RequestHandler, 'info'>): string {
  return info.callSite ? `${info.header} (${formatCallSite(info.callSite)})` : info.header
}

import { formatCallSite } from '../call-site.ts'
import { failure, print } from '../failure.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { Headers } from '../platform.ts'
import { givenHeadersOf, HttpResponse, keepGivenHeaders, setCookiesOf } from '../responses/http-response.ts'
import { networkErrorInit, networkErrorReason } from '../responses/network-error.ts'
import { onStreamEnd, type Finalizers } from './finalizers.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { Network } from './network.ts'
import type { Outcome } from './outcome.ts'
import { readError, toError } from './thrown-error.ts'

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
  const body = onStreamEnd(response.body, () => finalizers.run())
  return keepGivenHeaders(new HttpResponse(body, { status, statusText, headers }), givenHeadersOf(response))
}

/** What a server would answer when its code throws. Listeners are told, and so is the console: a mock is at fault. */
export function toErrorResponse(
  thrown: unknown,
  handler: RequestHandler,
  incoming: IncomingRequest,
  network: Network,
): Response {
  const error = toError(thrown)
  const text = readError(error)
  network.events.emit('unhandledException', () => ({ request: incoming.copy(), requestId: incoming.id, error }))
  const report =
    `The handler ${nameHandler(handler)} threw while it answered ${incoming.method} ${incoming.url.href}. ` +
    'The request is answered with "500 Internal Server Error". The error:'
  try {
    print.error(report, thrown)
  } catch {
    // A console that reads what cannot be read.
    print.error(`${report} ${text.name}: ${text.message}`)
  }
  return HttpResponse.json(text, { status: 500 })
}

/** A request that a handler lets fail. */
export function networkErrorBy(
  { method, url }: IncomingRequest,
  handler: RequestHandler,
  response?: Response,
): Outcome {
  const reason = response && networkErrorReason(response)
  const error = failure(
    `perform ${method} ${url.href}`,
    reason ?? `the handler ${nameHandler(handler)} answers with a network error`,
    reason ? `The handler ${nameHandler(handler)} asks for this.` : 'This is what the handler asks for.',
  )
  // As the errors of Node's clients: libraries that retry look at the code. What carries it out in Node looks at the fault.
  const init = networkErrorInit(response)
  return { type: 'network-error', error: Object.assign(error, init, { code: init?.code ?? 'ECONNRESET' }) }
}

/** A handler, with the line where it was written. */
export function nameHandler({ info }: Pick<RequestHandler, 'info'>): string {
  return info.callSite ? `${info.header} (${formatCallSite(info.callSite)})` : info.header
}

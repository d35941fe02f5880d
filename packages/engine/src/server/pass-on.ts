import { failure } from '../core/failure.ts'
import { Headers, Request, Response } from '../core/platform.ts'
import { removeBypassMark } from '../core/responses/bypass-marks.ts'

/** The header `Via` of this server. */
const via = '1.1 understudy'

/** The headers that belong to a connection, and not to the message. */
const connectionHeaders = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/**
 * Forwards a request to the network, as a proxy does.
 *
 * @returns the response; one with the status 508 if the request would return to this server in a loop
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.6
 */
export async function passOn(request: Request): Promise<Response> {
  const headers = new Headers(request.headers)
  if (headers.get('via')?.includes(via)) {
    return new Response(
      `${
        failure(
          'US1013',
          `pass on ${request.method} ${request.url}`,
          'it leads back to this server',
          'Set "baseUrl" to the server that this one replaces: createFetchHandler(handlers, { baseUrl: "https://api.example.com" }).',
        ).message
      }\n`,
      { status: 508, headers: { 'Content-Type': 'text/plain; charset=utf-8' } },
    )
  }
  removeBypassMark(headers)
  for (const name of connectionHeaders) headers.delete(name)
  headers.append('via', via)
  // The client follows redirects.
  const response = await fetch(new Request(request, { headers, redirect: 'manual' }))
  return decoded(response)
}

/** A response that a resolver got from `fetch`, with headers that are true of its body; any other one as it is. */
export function asSent(response: Response): Response {
  return response.url !== '' && response.type !== 'default' ? decoded(response) : response
}

/** Returns the response without the headers of its encoding, because `fetch` has decoded the body. */
function decoded(response: Response): Response {
  const { status, statusText, body } = response
  const headers = new Headers(response.headers)
  for (const name of connectionHeaders) headers.delete(name)
  if (headers.has('content-encoding')) {
    headers.delete('content-encoding')
    headers.delete('content-length')
  }
  return new Response(body, { status, statusText, headers })
}

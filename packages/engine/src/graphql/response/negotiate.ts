import type { IncomingRequest } from '../../core/handlers/incoming-request.ts'
import { Headers } from '../../core/platform.ts'
import { knownBodyOf, setCookiesOf } from '../../core/responses/http-response.ts'
import { prefersGraphQLResponse, takesEventStreamAlone } from './accept.ts'
import { isJson, parseResult } from './read-results.ts'
import { eventStream } from './result-format.ts'
import { createResultStream } from './result-stream.ts'
import { divertToChannel } from './single-connection.ts'

/**
 * Converts a handler's response to the form that the client asks for. A Content-Type that the handler chose stays. Only
 * unambiguous responses are converted: JSON without a chosen type, and JSON for a client that accepts only event
 * streams.
 */
export function negotiate(response: Response, incoming: IncomingRequest): Response | Promise<Response> {
  const accept = incoming.request.headers.get('accept')
  const diverted = divertToChannel(response, incoming)
  if (diverted) return diverted
  if (takesEventStreamAlone(accept) && response.ok && isJson(response)) return toEventStream(response)
  if (prefersGraphQLResponse(accept) && knownBodyOf(response) && isJson(response)) {
    response.headers.set('Content-Type', 'application/graphql-response+json')
  }
  return response
}

async function toEventStream(response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  for (const setCookie of setCookiesOf(response)) headers.append('set-cookie', setCookie)
  const stream = createResultStream(eventStream, headers)
  stream.write({ type: 'next', payload: parseResult(await response.text()) })
  stream.write({ type: 'complete' })
  return stream.response
}

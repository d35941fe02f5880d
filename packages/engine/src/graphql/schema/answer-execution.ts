import type { ExecutionResult } from 'graphql'

import { print } from '../../core/failure.ts'
import { toError } from '../../core/network/thrown-error.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { acceptedTypes, prefersGraphQLResponse, takesEventStreamAlone } from '../response/accept.ts'
import { chooseResultFormat } from '../response/result-format.ts'
import { createResultStream } from '../response/result-stream.ts'
import { publishAll } from '../subscriptions/publish-all.ts'
import type { Execution } from './execute-operation.ts'

/**
 * Creates the response to an executed operation.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Response
 */
export function answerExecution(execution: Execution, request: Request, header: string): Response {
  switch (execution.type) {
    case 'not-allowed':
      return toResponse(request, refusal('A mutation must be sent by POST.'), {
        status: 405,
        headers: { Allow: 'POST' },
      })
    case 'result':
      return toResponse(request, execution.result)
    case 'results':
      return toStream(execution.results, request, header)
  }
}

/** Creates the response to an operation that is not executed. */
export function answerRefusal(request: Request, message: string, extensions?: object): Response {
  return toResponse(request, refusal(message, extensions))
}

/**
 * Creates the response to a request without an operation: status 400 for every client, because it is not a GraphQL
 * request.
 */
export function answerNoOperation(request: Request, message: string): Response {
  return toResponse(request, refusal(message), { status: 400 })
}

function refusal(message: string, extensions?: object): object {
  return { errors: [{ message, ...(extensions && { extensions }) }] }
}

/**
 * Clients that accept `application/graphql-response+json` recognize a refused operation by its status. For other
 * clients the status is 200, whatever the result. A client that accepts only event streams gets one, which must have
 * status 200 too.
 */
function toResponse(request: Request, result: ExecutionResult | object, init: ResponseInit = {}): Response {
  const accept = request.headers.get('accept')
  const isModern = prefersGraphQLResponse(accept)
  const isRefused = !('data' in result) && isModern && !takesEventStreamAlone(accept)
  return HttpResponse.json(result, { status: isRefused ? 400 : 200, ...init })
}

function toStream(results: AsyncIterable<ExecutionResult>, request: Request, header: string): Response {
  const accept = request.headers.get('accept')
  const types = acceptedTypes(accept)
  const takesStreams =
    types.length === 0 ||
    types.some((type) => /^(?:text\/(?:event-stream|\*)|multipart\/.*|\*\/\*|.*frames)$/.test(type))
  if (!takesStreams) {
    void results[Symbol.asyncIterator]().return?.()
    return answerRefusal(request, 'A subscription is answered by a stream: send "Accept: text/event-stream".')
  }
  const stream = createResultStream(chooseResultFormat(accept))
  publishAll(results, stream).catch((error: unknown) => {
    print.error(
      'US0519',
      `Failed to execute a subscription: the event source that ${header} reads threw. See the error.`,
      error,
    )
    stream.write({ type: 'error', payload: [{ message: toError(error).message }] })
  })
  return stream.response
}

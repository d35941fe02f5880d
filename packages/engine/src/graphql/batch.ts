import { failure, print } from '../core/failure.ts'
import type { IncomingRequest } from '../core/handlers/incoming-request.ts'
import type { Envelope } from '../core/handlers/protocol.ts'
import { Headers, Request } from '../core/platform.ts'
import { bypass } from '../core/responses/bypass.ts'
import { HttpResponse, setCookiesOf } from '../core/responses/http-response.ts'
import { rememberGraphQLRequest, type RequestedOperation } from './request/graphql-request.ts'
import { parseResult } from './response/read-results.ts'

/**
 * Answers several operations in one request. The handler of each operation answers it; operations without a handler go
 * to the server together, as a smaller batch. The results have the order of the operations. The status of the response
 * is the first unsuccessful status, otherwise 200. It has the `Set-Cookie` headers of all responses.
 */
export function createBatch(incoming: IncomingRequest, operations: readonly RequestedOperation[]): Envelope {
  return {
    parts: operations.map((operation) => toPart(incoming, operation)),
    async join(answers) {
      const rest = operations.filter((_, index) => answers[index] === undefined)
      const performed = rest.length === 0 ? [] : await perform(incoming, rest)
      const headers = new Headers()
      const results: unknown[] = []
      let failed: Response | undefined
      for (const answer of answers) {
        if (!answer) {
          results.push(performed.shift())
          continue
        }
        if (!answer.ok) failed ??= answer
        for (const setCookie of setCookiesOf(answer)) headers.append('set-cookie', setCookie)
        results.push(parseResult(await answer.text()))
      }
      return HttpResponse.json(results, {
        headers,
        ...(failed && { status: failed.status, statusText: failed.statusText }),
      })
    },
  }
}

/** Creates a separate request for one operation. */
function toPart(incoming: IncomingRequest, operation: RequestedOperation): IncomingRequest {
  const part = incoming.part(createRequest(incoming, operation.fields))
  rememberGraphQLRequest(part, { operations: [operation], isBatch: false })
  return part
}

function createRequest({ request }: IncomingRequest, body: unknown): Request {
  const { url, credentials, signal } = request
  const headers = new Headers(request.headers)
  headers.set('content-type', 'application/json')
  headers.set('accept', 'application/json')
  headers.delete('content-length')
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(body), credentials, signal })
}

/** Sends the operations without a handler to the server. */
async function perform(incoming: IncomingRequest, operations: readonly RequestedOperation[]): Promise<unknown[]> {
  const response = await fetch(
    bypass(
      createRequest(
        incoming,
        operations.map(({ fields }) => fields),
      ),
    ),
  )
  const results = parseResult(await response.text())
  if (Array.isArray(results) && results.length === operations.length) return results as unknown[]
  const { message } = failure(
    'US0511',
    `send ${operations.length} of the operations of a batch`,
    `${incoming.url.href} answered ${response.status} without an array of ${operations.length} results`,
    'Add handlers for these operations.',
  )
  print.failure(message)
  return operations.map(() => ({ errors: [{ message }] }))
}

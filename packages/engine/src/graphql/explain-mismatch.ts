import { editDistance, isSimilar } from '../core/edit-distance.ts'
import type { IncomingRequest } from '../core/handlers/incoming-request.ts'
import type { Mismatch } from '../core/handlers/mismatch.ts'
import { isPromise } from '../core/is-promise.ts'
import type { GraphQLOperationType } from './document/read-operations.ts'
import type { Endpoint } from './endpoint.ts'
import type { OperationMatcher } from './operation-predicate.ts'
import { BrokenRequest } from './request/broken-request.ts'
import { knownReading } from './request/graphql-request.ts'
import { resolveOperation } from './request/read-operation.ts'

/**
 * Explains why a handler does not answer an operation. No handler is suggested for a request that was not parsed while
 * the handlers were asked, or that is not a GraphQL request.
 *
 * @returns `undefined` if the two have too little in common for a suggestion
 */
export function explainMismatch(
  type: GraphQLOperationType | 'all',
  matcher: OperationMatcher | undefined,
  endpoint: Endpoint,
  incoming: IncomingRequest,
): Mismatch | 'matches' | undefined {
  const reading = knownReading(incoming)
  if (reading === null && incoming.method === 'POST' && endpoint.isEndpoint && endpoint.match(incoming)) {
    return { distance: 1, difference: 'endpoint matches, the request has no "query" and names no persisted document' }
  }
  if (!reading || reading instanceof BrokenRequest || reading.isBatch) return undefined
  const [requested] = reading.operations
  const operation = requested && resolveOperation(requested, endpoint.findPersisted)
  if (!operation || typeof operation === 'string' || isPromise(operation)) return undefined
  const { operationType = type, operationName } = operation
  const differences: string[] = []
  let distance = 0
  if (endpoint.match(incoming) === null) {
    distance += 2
    differences.push(`endpoint differs: ${String(endpoint.path)} expected, ${incoming.url.href} sent`)
  }
  if (type !== 'all' && operationType !== type) {
    distance += 1
    differences.push(`type differs: ${type} expected, ${operationType} sent`)
  }
  const name = matcher?.name
  const predicate = matcher?.predicate
  if (predicate !== undefined && typeof predicate !== 'function' && operationName === '') {
    distance += 2
    differences.push('the operation is anonymous')
  } else if (name !== undefined && name !== operationName) {
    if (!isSimilar(operationName, name)) return undefined
    distance += 1 + editDistance(operationName, name) / 100
    differences.push(`name differs: \`${name}\` expected, \`${operationName}\` sent`)
  } else if (predicate instanceof RegExp ? !predicate.test(operationName) : typeof predicate === 'function') {
    // Do not call a predicate function here: it may be slow or have side effects.
    distance += 2
    differences.push(`${matcher?.shown ?? ''} does not match \`${operationName}\``)
  }
  return differences.length === 0 ? 'matches' : { distance, difference: differences.join('; ') }
}

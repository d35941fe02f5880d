import type { Protocol } from '../core/handlers/protocol.ts'
import { isPromise } from '../core/is-promise.ts'
import type { GraphQLOperationType } from './document/read-operations.ts'
import { BrokenRequest } from './request/broken-request.ts'
import { readGraphQLRequest, type GraphQLReading, type RequestedOperation } from './request/graphql-request.ts'
import { selectOperation } from './request/operation.ts'
import { reportProblem } from './request/read-operation.ts'
import { negotiate } from './response/negotiate.ts'
import { isStreamControl } from './response/single-connection.ts'

/**
 * The protocol of GraphQL handlers. A handler that matches one name is looked up by the type and the name of its
 * operation.
 */
export const graphqlProtocol: Protocol = {
  keysOf(incoming) {
    if (isStreamControl(incoming)) return null
    const reading = readGraphQLRequest(incoming)
    return isPromise(reading) ? reading : toKeys(reading)
  },
  finish: negotiate,
  reportUnhandled: reportProblem,
}

/** The key of the handlers that match one name. */
export function keyOf(type: GraphQLOperationType, name: string): string {
  return `${type} ${name}`
}

function toKeys(reading: GraphQLReading): readonly string[] | null {
  if (reading === null) return []
  // This does not depend on the handler, so any asked handler can report it.
  if (reading instanceof BrokenRequest) return null
  const [first, ...others] = reading.operations
  // Most requests have one operation.
  if (first && others.length === 0) return keysOfOperation(first)
  const keys = reading.operations.map(keysOfOperation)
  return keys.includes(null) ? null : keys.flatMap((list) => list ?? [])
}

const operationTypes: readonly GraphQLOperationType[] = ['query', 'mutation', 'subscription']

/** `null` asks every handler whether it answers the operation, or why it does not. */
function keysOfOperation({ definitions, problem, operationName }: RequestedOperation): readonly string[] | null {
  if (problem !== undefined) return null
  if (definitions === undefined) {
    // A hash does not show the type.
    return operationName === undefined ? null : operationTypes.map((type) => keyOf(type, operationName))
  }
  const found = selectOperation(definitions, operationName)
  return typeof found === 'string' || found.name === undefined ? null : [keyOf(found.type, found.name)]
}

import { print } from '../../core/failure.ts'
import type { IncomingRequest } from '../../core/handlers/incoming-request.ts'
import { isPromise } from '../../core/is-promise.ts'
import { BrokenRequest } from './broken-request.ts'
import { readGraphQLRequest, type GraphQLReading, type RequestedOperation } from './graphql-request.ts'
import { selectOperation, type GraphQLOperation } from './operation.ts'
import type { PersistedDocumentFinder } from './persisted-documents.ts'

/** What is known of the URL at which operations are expected. */
interface Place {
  /** Whether the request's URL is known to be a GraphQL endpoint. */
  readonly isEndpoint: boolean
  readonly findPersisted: PersistedDocumentFinder | undefined
}

/**
 * Returns the operation of a request; `null` if the request is not a GraphQL request, is broken, or is a batch, whose
 * operations are handled separately.
 */
export function readOperation(
  incoming: IncomingRequest,
  place: Place,
): GraphQLOperation | null | Promise<GraphQLOperation | null> {
  const reading = readGraphQLRequest(incoming)
  return isPromise(reading)
    ? reading.then((result) => toOperation(incoming, result, place))
    : toOperation(incoming, reading, place)
}

function toOperation(
  incoming: IncomingRequest,
  reading: GraphQLReading,
  { isEndpoint, findPersisted }: Place,
): GraphQLOperation | null | Promise<GraphQLOperation | null> {
  if (reading === null) return null
  if (reading instanceof BrokenRequest) {
    if (reading.isCertain || isEndpoint) incoming.memo.set(problemKey, reading.message)
    return null
  }
  const [requested] = reading.operations
  if (!requested || reading.isBatch) return null
  const operation = resolveOperation(requested, findPersisted)
  if (typeof operation === 'string') {
    incoming.memo.set(problemKey, operation)
    return null
  }
  return operation
}

const anonymous =
  'its operation has no name, and handlers of named operations do not answer it. ' +
  'Name it, or answer it with graphql.operation()'
const unknownHash =
  'no handler has the persisted document that it names. ' +
  'Pass it: graphql.link(url, { persisted: { [hash]: document } })'

/** Remembers that a handler of named operations was asked about an anonymous one. */
export function setNameless(incoming: IncomingRequest, { operationType }: GraphQLOperation): void {
  incoming.memo.set(problemKey, operationType === undefined ? unknownHash : anonymous)
}

/**
 * Replaces the hash of a persisted document with the document, and finds the operation in it.
 *
 * @returns the operation, or the reason why there is no operation
 */
export function resolveOperation(
  requested: RequestedOperation,
  findPersisted: PersistedDocumentFinder | undefined,
): GraphQLOperation | string | Promise<GraphQLOperation> {
  const { query, definitions, problem, operationName, variables, extensions, hashes } = requested
  if (problem !== undefined) return problem
  const persisted = definitions === undefined ? findPersisted?.(hashes) : undefined
  const known = definitions ?? persisted?.definitions
  if (known === undefined) {
    return { query: '', operationType: undefined, operationName: operationName ?? '', variables, extensions }
  }
  const found = selectOperation(known, operationName)
  if (typeof found === 'string') return found
  const operation = { operationType: found.type, operationName: found.name ?? '', variables, extensions }
  const text = query ?? persisted?.text() ?? ''
  return typeof text === 'string'
    ? { query: text, ...operation }
    : text.then((printed) => ({ query: printed, ...operation }))
}

const problemKey: unique symbol = Symbol('why no handler answered a graphql request') as never

/** Reports why no handler answered a request, if the reason is known. */
export function reportProblem(incoming: IncomingRequest): void {
  const problem = incoming.memo.get(problemKey)
  if (typeof problem !== 'string') return
  print.warn('US0510', `Failed to answer the GraphQL request ${incoming.method} ${incoming.url.href}: ${problem}.`)
}

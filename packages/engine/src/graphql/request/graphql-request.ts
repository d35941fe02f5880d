import type { IncomingRequest } from '../../core/handlers/incoming-request.ts'
import { isPromise } from '../../core/is-promise.ts'
import { readOperations, type OperationDefinition } from '../document/read-operations.ts'
import { BrokenRequest } from './broken-request.ts'
import { selectOperation, type OperationParameters } from './operation.ts'
import { readParameters, type Parameters } from './read-parameters.ts'

/** An operation of a request, with the definitions of its document. */
export interface RequestedOperation extends OperationParameters {
  /** `undefined` if the request has a hash instead of a document. */
  readonly definitions: readonly OperationDefinition[] | undefined
  /** The reason why the document cannot be parsed. */
  readonly problem: string | undefined
}

/** The content of a GraphQL request. */
export interface GraphQLRequest {
  readonly operations: readonly RequestedOperation[]
  /** Whether it is a batch: an array of operations, answered by an array of results. */
  readonly isBatch: boolean
}

/**
 * The result of parsing a request: a GraphQL request, a broken GraphQL request, or `null` if it is not a GraphQL
 * request.
 */
export type GraphQLReading = GraphQLRequest | BrokenRequest | null

const memoKey: unique symbol = Symbol('graphql request') as never

/**
 * Parses a request, once for all handlers.
 *
 * @returns the parsed request, synchronously if it was parsed before
 */
export function readGraphQLRequest(incoming: IncomingRequest): GraphQLReading | Promise<GraphQLReading> {
  const known = incoming.memo.get(memoKey) as GraphQLReading | Promise<GraphQLReading> | undefined
  if (known !== undefined) return known
  const reading = readParameters(incoming, (read) => {
    try {
      return rememberGraphQLRequest(incoming, toReading(read()))
    } catch (error) {
      return rememberGraphQLRequest(incoming, toBrokenRequest(error))
    }
  })
  if (isPromise(reading)) incoming.memo.set(memoKey, reading)
  return reading
}

/** Returns the parsed request; `undefined` if it was not parsed yet. */
export function knownReading(incoming: IncomingRequest): GraphQLReading | undefined {
  const known = incoming.memo.get(memoKey) as GraphQLReading | Promise<GraphQLReading> | undefined
  return isPromise(known) ? undefined : known
}

/** Stores what is already known of a request, so that a part of a batch is not parsed again. */
export function rememberGraphQLRequest(incoming: IncomingRequest, reading: GraphQLReading): GraphQLReading {
  incoming.memo.set(memoKey, reading)
  if (reading !== null && !(reading instanceof BrokenRequest)) incoming.readAs = describeReading(reading)
  return reading
}

function describeReading({ operations, isBatch }: GraphQLRequest): IncomingRequest['readAs'] {
  const [first] = operations
  const operation = first?.definitions && selectOperation(first.definitions, first.operationName)
  if (isBatch || !operation || typeof operation === 'string') return undefined
  return new OperationName(operation)
}

/** Creates its texts on the first read, because most requests need none. */
class OperationName implements NonNullable<IncomingRequest['readAs']> {
  readonly #operation: OperationDefinition

  constructor(operation: OperationDefinition) {
    this.#operation = operation
  }

  get name(): string {
    const { type, name } = this.#operation
    return name === undefined ? `an anonymous ${type}` : `${type} ${name}`
  }

  get suggestion(): string {
    const { type, name } = this.#operation
    const start = name === undefined ? 'graphql.operation(' : `graphql.${type}('${name}', `
    return `${start}() => HttpResponse.json({ data: {} })),`
  }
}

function toBrokenRequest(error: unknown): BrokenRequest {
  if (error instanceof BrokenRequest) return error
  throw error
}

function toReading(parameters: Parameters): GraphQLReading {
  if (parameters === null) return null
  return isList(parameters)
    ? { isBatch: true, operations: parameters.map(toRequestedOperation) }
    : { isBatch: false, operations: [toRequestedOperation(parameters)] }
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList<Item>(value: Item | readonly Item[]): value is readonly Item[] {
  return Array.isArray(value)
}

function toRequestedOperation(parameters: OperationParameters): RequestedOperation {
  const { query } = parameters
  if (query === undefined) return { ...parameters, definitions: undefined, problem: undefined }
  try {
    return { ...parameters, definitions: readOperations(query), problem: undefined }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ...parameters, definitions: undefined, problem: `its document is malformed: ${message}` }
  }
}

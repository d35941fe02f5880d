import type { GraphQLOperationType, OperationDefinition } from '../document/read-operations.ts'

/** One operation of a request, before its document is parsed. */
export interface OperationParameters {
  /** The document; `undefined` if the request has its hash instead. */
  readonly query: string | undefined
  /** The name of the operation in the document, if the request has it. */
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown>
  readonly extensions: Record<string, unknown>
  /** Possible names of a persisted document: the hash of Apollo's protocol first, then ids. */
  readonly hashes: readonly string[]
  /** All parameters of the operation. */
  readonly fields: object
}

/** An operation for handlers to match. */
export interface GraphQLOperation {
  /** The document; empty for a hash that is in no map. */
  readonly query: string
  /** `undefined` if the document is unknown. */
  readonly operationType: GraphQLOperationType | undefined
  /** Empty: the operation is anonymous. */
  readonly operationName: string
  readonly variables: Record<string, unknown>
  readonly extensions: Record<string, unknown>
}

/**
 * Selects the operation of a document to execute.
 *
 * @returns the definition, or the reason why the document has no such operation
 * @see https://spec.graphql.org/draft/#GetOperation()
 */
export function selectOperation(
  definitions: readonly OperationDefinition[],
  operationName: string | undefined,
): OperationDefinition | string {
  if (definitions.length === 0) return 'its document has no operation'
  // The specification requires a name if there are several operations. Clients without one mean the first.
  const found =
    operationName === undefined ? definitions[0] : definitions.find((definition) => definition.name === operationName)
  if (found) return found
  const names = definitions.map(({ name }) => (name === undefined ? 'an anonymous one' : `"${name}"`))
  return `its document has no operation "${operationName}"; it has ${names.join(', ')}`
}

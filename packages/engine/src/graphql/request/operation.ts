import type { GraphQLOperationType, OperationDefinition } from '../document/read-operations.ts'

/** One operation as a request carries it, before its document is looked at. */
export interface OperationParameters {
  /** The document; `undefined` where a hash stands for it. */
  readonly query: string | undefined
  /** Which operation of the document is meant, where the request says so. */
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown>
  readonly extensions: Record<string, unknown>
  /** What may name a persisted document: the hash of Apollo's protocol first, then ids. */
  readonly hashes: readonly string[]
  /** All that the request says of it. */
  readonly fields: object
}

/** An operation that handlers match. */
export interface GraphQLOperation {
  /** The document; empty where a hash that no map knows stands for it. */
  readonly query: string
  /** `undefined` where the document is not known. */
  readonly operationType: GraphQLOperationType | undefined
  /** Empty: the operation is anonymous. */
  readonly operationName: string
  readonly variables: Record<string, unknown>
  readonly extensions: Record<string, unknown>
}

/**
 * The operation that a document's reader is asked to perform.
 *
 * @returns the definition, or why there is none
 * @see https://spec.graphql.org/draft/#GetOperation()
 */
export function selectOperation(
  definitions: readonly OperationDefinition[],
  operationName: string | undefined,
): OperationDefinition | string {
  if (definitions.length === 0) return 'its document has no operation'
  // The specification wants a name where there are several; clients that send none mean the first.
  const found =
    operationName === undefined ? definitions[0] : definitions.find((definition) => definition.name === operationName)
  if (found) return found
  const names = definitions.map(({ name }) => (name === undefined ? 'an anonymous one' : `"${name}"`))
  return `its document has no operation "${operationName}"; it has ${names.join(', ')}`
}

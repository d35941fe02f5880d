import { describe } from '../../core/describe.ts'
import { failure } from '../../core/failure.ts'
import {
  documentTextOf,
  isGraphQLDocument,
  operationsOf,
  type GraphQLDocument,
  type GraphQLTypedDocument,
} from '../document/graphql-document.ts'
import { loadGraphQL } from '../document/load-graphql.ts'
import type { OperationDefinition } from '../document/read-operations.ts'

/**
 * Documents by the hash (or id) that clients send instead of them. A document is a text, a typed document string or a
 * `DocumentNode`.
 */
export type PersistedDocuments = Readonly<
  Record<string, string | GraphQLDocument | GraphQLTypedDocument<unknown, never>>
>

/** A parsed document of the map. */
export interface PersistedDocument {
  readonly definitions: readonly OperationDefinition[]
  /** Returns the text at once if the document or its parser kept it. Otherwise, the `graphql` package prints it. */
  text(): string | Promise<string>
}

/** Looks up the first hash that names a document. */
export type PersistedDocumentFinder = (hashes: readonly string[]) => PersistedDocument | undefined

/**
 * Parses a map of persisted documents.
 *
 * @throws {UnderstudyError} if a value is not a document or is malformed; the message names its hash
 */
export function readPersistedDocuments(documents: PersistedDocuments): PersistedDocumentFinder {
  const byHash = new Map(Object.entries(documents).map(([hash, document]) => [hash, readDocument(hash, document)]))
  return (hashes) => {
    const known = hashes.find((hash) => byHash.has(hash))
    return known === undefined ? undefined : byHash.get(known)
  }
}

function readDocument(hash: string, value: unknown): PersistedDocument {
  const operation = `read the persisted document "${hash}"`
  const action = 'Pass the text of a document, or a DocumentNode.'
  const document = isGraphQLDocument(value) ? value : documentTextOf(value)
  if (document === undefined) throw failure('US0508', operation, `it is ${describe(value)}`, action)
  try {
    const definitions = operationsOf(document)
    const known = typeof document === 'string' ? document : sourceOf(document)
    return { definitions, text: () => known ?? printDocument(document as GraphQLDocument, operation) }
  } catch (cause) {
    throw failure('US0509', operation, `it is malformed: ${(cause as Error).message}`, action, { cause })
  }
}

/** Returns the text from which a document was parsed, if the parser kept it. */
function sourceOf(document: GraphQLDocument): string | undefined {
  const text = (document as { loc?: { source?: { body?: unknown } } }).loc?.source?.body
  return typeof text === 'string' ? text : undefined
}

async function printDocument(document: GraphQLDocument, operation: string): Promise<string> {
  const { print } = await loadGraphQL(operation)
  return print(document as Parameters<typeof print>[0])
}

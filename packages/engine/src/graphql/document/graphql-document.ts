import { readOperations, type GraphQLOperationType, type OperationDefinition } from './read-operations.ts'

/**
 * A parsed document, as the `graphql` package and `graphql-tag` create it: a `DocumentNode`. The type describes only
 * its shape, because an app may not have the `graphql` package.
 */
export interface GraphQLDocument {
  readonly kind: string
  readonly definitions: readonly { readonly kind: string }[]
}

/**
 * A typed document, which has the types of the operation's result and variables. GraphQL Code Generator, gql.tada and
 * Apollo use the first member, graphql-js the second.
 */
export interface GraphQLTypedDocument<Data, Variables> {
  __apiType?: ((variables: Variables) => Data) | undefined
  __ensureTypesOfVariablesAndResultMatching?: ((variables: Variables) => Data) | undefined
}

/** Returns whether a value is a parsed document. */
export function isGraphQLDocument(value: unknown): value is GraphQLDocument {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Partial<GraphQLDocument>).kind === 'Document' &&
    Array.isArray((value as Partial<GraphQLDocument>).definitions)
  )
}

/**
 * Returns the text of a document that is a string or a `String` object (code generators create classes that extend
 * `String`); `undefined` for any other value, and for a string that cannot be a document, such as an operation's name.
 */
export function documentTextOf(value: unknown): string | undefined {
  const isString = typeof value === 'string' || Object.prototype.toString.call(value) === '[object String]'
  const text = isString ? String(value) : ''
  return text.includes('{') ? text : undefined
}

/** The members of the nodes of `graphql` and `graphql-tag` that are read here. */
interface OperationNode {
  readonly kind: string
  readonly operation?: GraphQLOperationType
  readonly name?: { readonly value: string } | undefined
}

/**
 * Returns the operations of a document in any of its forms.
 *
 * @throws {GraphQLSyntaxError} if the text does not follow the grammar
 */
export function operationsOf(document: GraphQLDocument | string): readonly OperationDefinition[] {
  if (typeof document === 'string') return readOperations(document)
  return (document.definitions as readonly OperationNode[]).flatMap(({ kind, operation, name }) =>
    kind === 'OperationDefinition' && operation !== undefined ? [{ type: operation, name: name?.value }] : [],
  )
}

import type { ExecutionResult, GraphQLError } from 'graphql'

import type { LoadedSchema } from './load-schema.ts'

/** An operation, with the arguments of its resolvers. */
export interface ExecutableOperation {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown>
  readonly rootValue: unknown
  /** Called only for a valid operation. */
  createContext(): unknown
  /** Whether the request may contain a mutation. A GET may not. */
  readonly mayMutate: boolean
}

/** The result of executing an operation. */
export type Execution =
  /** A result. It has no `data` if the operation was refused. */
  | { readonly type: 'result'; readonly result: ExecutionResult }
  | { readonly type: 'results'; readonly results: AsyncIterable<ExecutionResult> }
  /** The operation is a mutation in a GET request. */
  | { readonly type: 'not-allowed' }

/**
 * Executes an operation as a server does: parses and validates it, then executes it or subscribes to it.
 *
 * @see https://spec.graphql.org/draft/#sec-Execution
 */
export async function executeOperation(
  { graphql, schema }: LoadedSchema,
  operation: ExecutableOperation,
): Promise<Execution> {
  const { query, operationName, variables, rootValue, mayMutate } = operation
  const refuse = (...errors: readonly GraphQLError[]): Execution => ({ type: 'result', result: { errors } })
  let document
  try {
    document = graphql.parse(query)
  } catch (error) {
    return refuse(error as GraphQLError)
  }
  const errors = graphql.validate(schema, document)
  if (errors.length > 0) return refuse(...errors)
  const definition = graphql.getOperationAST(document, operationName)
  if (!definition) {
    const reason =
      operationName === undefined
        ? 'Must provide operation name if query contains multiple operations.'
        : `Unknown operation named "${operationName}".`
    return refuse(new graphql.GraphQLError(reason))
  }
  if (!mayMutate && definition.operation === 'mutation') return { type: 'not-allowed' }
  const args = {
    schema,
    document,
    operationName: operationName ?? null,
    variableValues: variables,
    rootValue,
    contextValue: await operation.createContext(),
  }
  const result = await (definition.operation === 'subscription' ? graphql.subscribe(args) : graphql.execute(args))
  return Symbol.asyncIterator in result ? { type: 'results', results: result } : { type: 'result', result }
}

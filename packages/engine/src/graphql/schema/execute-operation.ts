import type { ExecutionResult, GraphQLError } from 'graphql'

import type { LoadedSchema } from './load-schema.ts'

/** An operation, and what its resolvers are given. */
export interface ExecutableOperation {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown>
  readonly rootValue: unknown
  /** Called for an operation that is valid. */
  createContext(): unknown
  /** Whether the request may change anything: a GET must not. */
  readonly mayMutate: boolean
}

/** What became of an operation. */
export type Execution =
  /** A result; without `data` where the operation was refused. */
  | { readonly type: 'result'; readonly result: ExecutionResult }
  | { readonly type: 'results'; readonly results: AsyncIterable<ExecutionResult> }
  /** A mutation that came by GET. */
  | { readonly type: 'not-allowed' }

/**
 * Executes an operation as a server does: it is parsed, validated, and then executed or subscribed to.
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

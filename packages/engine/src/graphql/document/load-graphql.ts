import { failure } from '../../core/failure.ts'
import type { GraphQLPackage } from './graphql-package.ts'

export type { GraphQLPackage }

/**
 * Loads the `graphql` package on first use: an app that declares no schema does not need it.
 *
 * @param operation the operation that needs it, as the continuation of "Failed to"
 * @throws {UnderstudyError} if it is not installed
 */
export async function loadGraphQL(operation: string): Promise<GraphQLPackage> {
  try {
    const { importGraphQL } = await import('./graphql-package.ts')
    return await importGraphQL()
  } catch (cause) {
    throw failure('US0507', operation, 'the package "graphql" is not installed', 'Install it: npm i -D graphql.', {
      cause,
    })
  }
}

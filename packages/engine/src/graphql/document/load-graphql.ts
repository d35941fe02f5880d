import { failure } from '../../core/failure.ts'

/** The `graphql` package, 16 or 17. */
export type GraphQLPackage = typeof import('graphql')

/**
 * Loads the `graphql` package on first use: an app that declares no schema does not need it.
 *
 * @param operation the operation that needs it, as the continuation of "Failed to"
 * @throws {UnderstudyError} if it is not installed
 */
export async function loadGraphQL(operation: string): Promise<GraphQLPackage> {
  try {
    // Bundlers build without the package only if its import is awaited here.
    return await import('graphql')
  } catch (cause) {
    throw failure('US0507', operation, 'the package "graphql" is not installed', 'Install it: npm i -D graphql.', {
      cause,
    })
  }
}

import { failure } from '../../core/failure.ts'

/** The `graphql` package, 16 or 17. */
export type GraphQLPackage = typeof import('graphql')

/**
 * Loads the `graphql` package when something first needs it: an app that declares no schema need not have it.
 *
 * @param operation what it is needed for, as it follows "Failed to"
 * @throws where it is not installed
 */
export async function loadGraphQL(operation: string): Promise<GraphQLPackage> {
  try {
    // Bundlers go on without the package where its import is awaited right here.
    return await import('graphql')
  } catch (cause) {
    throw failure(operation, 'the package "graphql" is not installed', 'Install it: npm i -D graphql.', { cause })
  }
}

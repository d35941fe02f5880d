import { failure } from '../../core/failure.ts'

/** The `graphql` package, 16 or 17. */
export type GraphQLPackage = typeof import('graphql')

/**
 * Loads the `graphql` package on first use: an app that declares no schema does not need it.
 *
 * @param operation what it is needed for, as it follows "Failed to"
 * @throws if it is not installed
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

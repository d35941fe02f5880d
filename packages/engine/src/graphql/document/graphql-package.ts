/** The `graphql` package, 16 or 17. */
export type GraphQLPackage = typeof import('graphql')

/**
 * Imports the `graphql` package. Servers without a bundler, such as Web Dev Server, resolve the imports of each file that a page
 * loads. So the import is in a file that loads only if the package is needed.
 *
 * @throws {Error} if the package is not installed
 */
export async function importGraphQL(): Promise<GraphQLPackage> {
  try {
    // Bundlers build without the package only if its import is awaited here.
    return await import('graphql')
  } catch (cause) {
    throw new Error('The package "graphql" was not found.', { cause })
  }
}

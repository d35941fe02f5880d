/** The options that a warning is removed by, as in webpack and Rspack. */
interface Options {
  ignoreWarnings?: unknown[] | undefined
}

/**
 * Removes the compiler's warning about `graphql`: the engine loads the package only if a handler needs it, so its absence is
 * not an error in other apps.
 */
export function ignoreMissingGraphQL(options: Options): void {
  options.ignoreWarnings = [...(options.ignoreWarnings ?? []), isOfMissingGraphQL]
}

function isOfMissingGraphQL(warning: { message: string; module?: { resource?: string } }): boolean {
  return (
    /engine[\\/](dist[\\/](?:shared|for-node)|src)[\\/]graphql\b/.test(warning.module?.resource ?? '') &&
    /'graphql'/.test(warning.message)
  )
}

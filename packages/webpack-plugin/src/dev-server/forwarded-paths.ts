/**
 * Lists the paths that dev servers forward to other servers, as `AppPages.forwarded` has them: the start of a path, or a
 * regular expression that begins with `^`. Rules that are functions are left out, because their result is not known in
 * advance.
 *
 * @param proxies the option `proxy` of each dev server: a list of `{ context }` or `{ pathFilter }` (webpack, Rspack,
 *   Rsbuild), one of these, or an object whose keys are paths (Rsbuild)
 */
export function listForwardedPaths(proxies: readonly unknown[]): string[] {
  return proxies.flatMap(listRules).flatMap((contexts) => {
    const texts = [contexts].flat().filter((each) => typeof each === 'string')
    // Ignore a rule with an excluded path, which may be a page of the app.
    return texts.some((text) => text.startsWith('!')) ? [] : texts.filter(isPath).map(toPattern)
  })
}

function listRules(proxy: unknown): unknown[] {
  if (Array.isArray(proxy)) return proxy.flatMap(listRules)
  if (typeof proxy !== 'object' || proxy === null) return []
  const { context, pathFilter } = proxy as { context?: unknown; pathFilter?: unknown }
  return context === undefined && pathFilter === undefined ? Object.keys(proxy) : [context ?? pathFilter]
}

/** The path `/` matches everything, including the pages of the app. */
function isPath(text: string): boolean {
  return /^[/^]/.test(text) && !/^\/\**$/.test(text)
}

/** Converts a glob pattern. */
function toPattern(text: string): string {
  if (text.startsWith('^') || !text.includes('*')) return text
  const source = text.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\*+/g, (stars) => {
    return stars.length > 1 ? '.*' : '[^/]*'
  })
  return `^${source.replaceAll('/.*/', '/(?:.*/)?')}(?:\\?|$)`
}

/**
 * Lists the paths that dev servers forward to other servers, as `AppPages.forwarded` has them: the start of a path, or a
 * regular expression that begins with `^`. What a function decides is not known beforehand and is left out.
 *
 * @param proxies the option `proxy` of each dev server: a list of `{ context }` or `{ pathFilter }` (webpack, Rspack,
 *   Rsbuild), one of these, or an object whose keys are paths (Rsbuild)
 */
export function listForwardedPaths(proxies: readonly unknown[]): string[] {
  return proxies.flatMap(listRules).flatMap((contexts) => {
    const texts = [contexts].flat().filter((each) => typeof each === 'string')
    // A path that is excluded may be a page of the app: nothing of such a rule counts.
    return texts.some((text) => text.startsWith('!')) ? [] : texts.filter(isPath).map(toPattern)
  })
}

function listRules(proxy: unknown): unknown[] {
  if (Array.isArray(proxy)) return proxy.flatMap(listRules)
  if (typeof proxy !== 'object' || proxy === null) return []
  const { context, pathFilter } = proxy as { context?: unknown; pathFilter?: unknown }
  return context === undefined && pathFilter === undefined ? Object.keys(proxy) : [context ?? pathFilter]
}

/** The path `/` matches everything, the pages of the app included. */
function isPath(text: string): boolean {
  return /^[/^]/.test(text) && !/^\/\**$/.test(text)
}

/** Translates a glob pattern. */
function toPattern(text: string): string {
  if (text.startsWith('^') || !text.includes('*')) return text
  const source = text.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\*+/g, (stars) => {
    return stars.length > 1 ? '.*' : '[^/]*'
  })
  return `^${source.replaceAll('/.*/', '/(?:.*/)?')}(?:\\?|$)`
}

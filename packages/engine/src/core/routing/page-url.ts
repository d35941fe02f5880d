/**
 * Returns the URL of the page if relative URLs can be resolved against it (in a browser or jsdom). `about:blank` and
 * similar URLs cannot be a base.
 */
export function pageUrl(): string | undefined {
  const page = (globalThis as { location?: { href?: unknown } }).location?.href
  return typeof page === 'string' && /^https?:/.test(page) ? page : undefined
}

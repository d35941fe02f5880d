/**
 * The URL of the page, where there is one that URLs can be relative to (a browser, jsdom).
 * `about:blank` and its like are none.
 */
export function pageUrl(): string | undefined {
  const page = (globalThis as { location?: { href?: unknown } }).location?.href
  return typeof page === 'string' && /^https?:/.test(page) ? page : undefined
}

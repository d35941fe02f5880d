/**
 * Parses a URL. Returns `undefined` for text that is not a URL. (The `URL` class of an older jsdom has neither
 * `URL.parse` nor `URL.canParse`.)
 */
export function parseUrl(url: string | URL, base?: string): URL | undefined {
  try {
    return new URL(url, base)
  } catch {
    return undefined
  }
}

/** The parsed URL; nothing for what is no URL. (The class of an older jsdom has neither `URL.parse` nor `URL.canParse`.) */
export function parseUrl(url: string | URL, base?: string): URL | undefined {
  try {
    return new URL(url, base)
  } catch {
    return undefined
  }
}

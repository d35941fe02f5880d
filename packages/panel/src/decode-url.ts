/** Percent-encoded bytes outside of ASCII. */
const encodedBytes = /(?:%[89a-f][\da-f])+/gi

/**
 * Characters that stay encoded: a mark would combine with the character before it, others cannot be seen, look like a delimiter, or
 * change the direction of the text, also letters from right to left, which would change the order of the parts of a path.
 */
const confusing =
  /^\p{M}+|[\p{C}\p{Z}\p{DI}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u2044\u2215\uff03\uff05\uff0f\uff1f]/gu

/**
 * Decodes the characters of a URL that are not ASCII, as browsers show it: `/caf%C3%A9` is `/café`. All others stay encoded, because
 * `%2F`, `%3F` or `%20` decoded would be another URL.
 */
export function decodeUrl(url: string): string {
  return url.replace(encodedBytes, (bytes) => {
    try {
      return decodeURIComponent(bytes).replace(confusing, (text) => encodeURIComponent(text))
    } catch {
      // Not UTF-8.
      return bytes
    }
  })
}

/** Percent-encoded bytes outside of ASCII. */
const encodedBytes = /(?:%[89a-f][\da-f])+/gi

/**
 * Characters that stay encoded: a mark would combine with the character before it, others cannot be seen, look like a delimiter, or
 * change the direction of the text, also letters from right to left, which would change the order of the parts of a path. The ranges
 * that end with U+FEFC and U+1EFFF also contain small forms (`﹠`) and rare scripts, which keeps the expression short.
 */
const confusing =
  /^\p{M}+|[\p{C}\p{Z}\p{DI}\u0590-\u08ff\u2024\u2044\u2215\u2236\u2571\u29f8\ufb1d-\ufefc\uff03-\uff06\uff0e\uff0f\uff1d\uff1f\u{10800}-\u{1efff}]/gu

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

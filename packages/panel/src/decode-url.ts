/** Percent-encoded bytes outside of ASCII. */
const encodedBytes = /(?:%[89a-f][\da-f])+/gi

/**
 * Characters that stay encoded: a mark would combine with the character before it, others cannot be seen, change the direction of the
 * text, or look like a delimiter.
 */
const confusing =
  /^\p{M}+|[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2024\u2044\u2215\u29f8\ufe56\ufe5f\ufe60\ufe66\uff03\uff05\uff06\uff0e\uff0f\uff1d\uff1f]/gu

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

/**
 * Formats bytes as an expression that every browser and every Node evaluates. `Uint8Array.fromBase64()` is newer than some of
 * them.
 *
 * @param base64 a literal
 */
export function toBytesExpression(base64: string): string {
  return `Uint8Array.from(atob(${base64}), (char) => char.charCodeAt(0))`
}

/** Returns whether code is an expression of {@link toBytesExpression}, in any format. */
export function isBytesExpression(code: string): boolean {
  return /^Uint8Array\.from\(\s*atob\(\s*(["'])[A-Za-z\d+/]*={0,2}\1,?\s*\),\s*\(?char\)? => char\.charCodeAt\(0\),?\s*\)$/.test(
    code,
  )
}

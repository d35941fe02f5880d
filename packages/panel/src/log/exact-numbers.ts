/** A string of JSON, or an integer that may have more digits than a number of JavaScript. */
const token = /"(?:[^"\\]|\\[^])*"?|(?<![\w.+-])-?\d{16,}(?![\d.e])/gi

/**
 * Turns the integers of JSON that JavaScript cannot represent, such as identifiers of 64 bits, into strings, which
 * {@link writeNumbers} turns back.
 */
export function markNumbers(json: string): string {
  return json.replace(token, (each) => (each.startsWith('"') || String(+each) === each ? each : `"\\u0000${each}"`))
}

/** Writes a value of JSON with marked numbers as JSON. */
export function writeNumbers(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/"\\u0000(-?\d+)"/g, '$1')
}

/** Returns the number of letters to add, remove or replace to turn one text into another (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Returns whether one text is likely a misspelling of the other. */
export function isSimilar(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length)
  return editDistance(a.toLowerCase(), b.toLowerCase()) <= Math.max(1, Math.floor(longest / 3))
}

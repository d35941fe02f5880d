import { formatPatch, structuredPatch, type StructuredPatch } from 'diff'

/** The number of lines above and below a change. */
const context = 3
/**
 * The time for a diff grows with the product of the lines that differ in both texts. With more than this, it is limited to
 * this number of changed lines, because the dev server does nothing else in the meantime.
 */
const productLimit = 1_000_000
const changesLimit = 2_000

/**
 * Returns a unified diff of two texts without the lines that name the files. Empty if the texts are equal. If many lines differ, it
 * replaces all lines from the first to the last difference.
 */
export function createDiff(before: string, after: string): string {
  if (before === after) return ''
  const [old, next] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start += 1
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end += 1
  const [above, below] = [Math.max(0, start - context), Math.max(0, end - context)]
  // Equal lines at both ends take time, too.
  const cut = (lines: readonly string[]): string =>
    lines.slice(above, lines.length - below).join('\n') + (below > 0 ? '\n' : '')
  const product = (old.length - start - end) * (next.length - start - end)
  const limit = product > productLimit ? { maxEditLength: changesLimit } : {}
  // With a limit, the result may be undefined.
  const patch =
    (structuredPatch('', '', cut(old), cut(next), '', '', { context, ...limit }) as StructuredPatch | undefined) ??
    replaceAll(cut(old), cut(next))
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + above,
    newStart: hunk.newStart + above,
  }))
  const text = formatPatch({ ...patch, hunks })
  return text.slice(text.indexOf('@@')).replaceAll('\r', '')
}

function replaceAll(before: string, after: string): StructuredPatch {
  const [old, next] = [before, after].map((text) => text.replace(/\n$/, '').split('\n'))
  const lines = [...(old ?? []).map((line) => `-${line}`), ...(next ?? []).map((line) => `+${line}`)]
  const hunk = { oldStart: 1, oldLines: old?.length ?? 0, newStart: 1, newLines: next?.length ?? 0, lines }
  return { oldFileName: '', newFileName: '', oldHeader: '', newHeader: '', hunks: [hunk] }
}

/**
 * Matches a call with a text as its first argument: `get('/api/user'`. Each character has one way to match. With `.` for a
 * backslash, the time would double with every escape.
 */
const call = /(?<![\w$])([\w$]+)\)?\(\s*(["'`])((?:\\.|(?!\2)[^\\\r\n])*)\2/g

/**
 * Finds the source line of a call without a source map. Bundlers rename objects and move lines, but keep the name after
 * the dot and the first argument (`get('/api/user'`), and the order of calls.
 *
 * @param made the generated code of the module
 * @param place the position of the call in it, from 1. Its column is that of the name, or of an earlier name
 * @param written the developer's code
 * @returns the line, from 1; `undefined` if there is no such call
 */
export function findSameCall(
  made: string,
  place: { readonly line: number; readonly column: number },
  written: string,
): number | undefined {
  const lines = made.split('\n')
  const start = lines.slice(0, place.line - 1).join('\n').length + place.column - (place.line === 1 ? 1 : 0)
  const calls = [...made.matchAll(call)]
  const meant = calls.find((each) => each.index + each[0].length > start)
  if (!meant) return undefined
  const isSame = (each: RegExpExecArray): boolean => each[1] === meant[1] && each[3] === meant[3]
  const nth = calls.filter(isSame).indexOf(meant)
  const match = [...written.matchAll(call)].filter(isSame)[nth]
  return match && written.slice(0, match.index).split('\n').length
}

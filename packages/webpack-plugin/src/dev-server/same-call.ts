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
  const start = startOf(made, place.line) + place.column - 1
  const calls = listCalls(made)
  const meant = calls.find((each) => each.index + each[0].length > start)
  if (!meant) return undefined
  const isSame = (each: RegExpExecArray): boolean => each[1] === meant[1] && each[3] === meant[3]
  const nth = calls.filter(isSame).indexOf(meant)
  const match = listCalls(written).filter(isSame)[nth]
  return match && written.slice(0, match.index).split('\n').length
}

/** Returns the index of the first character of a line. */
function startOf(text: string, line: number): number {
  let start = 0
  for (let each = 1; each < line; each += 1) {
    const end = text.indexOf('\n', start)
    if (end === -1) return text.length
    start = end + 1
  }
  return start
}

/** The calls in the last texts. A panel asks for all handlers of a module at once, and a search through both texts takes long. */
const recent = new Map<string, readonly RegExpExecArray[]>()
const recentLimit = 4

function listCalls(text: string): readonly RegExpExecArray[] {
  const known = recent.get(text)
  if (known) return known
  const calls = [...text.matchAll(call)]
  recent.set(text, calls)
  for (const old of [...recent.keys()].slice(0, -recentLimit)) recent.delete(old)
  return calls
}

/** The part of a JSON value that a tree shows at first. */
export interface ShownJson {
  /** Objects and lists that are open. */
  readonly open: ReadonlySet<object>
  /** The result of a search; `null` without a search. */
  readonly found: FoundJson | null
}

/** The result of a search in a JSON value. */
export interface FoundJson {
  /** The text in lower case. */
  readonly text: string
  /** The number of keys and values that contain the text. */
  readonly count: number
  /** Objects and lists that contain a match. */
  readonly containers: ReadonlySet<object>
}

/** A key, or an index as text, and the value. */
export type JsonMember = readonly [key: string, value: unknown]

/** The number of members of an object or list that are shown at once. */
export const batchSize = 100

/** The maximum number of rows of a new tree. A row for each of 50,000 values would block the panel for seconds. */
const rowLimit = 200

/**
 * Selects the part of a JSON value to show: the first two levels or the matches of a search, up to 200 rows.
 *
 * @param search text in keys or values; case does not matter. `''`: no search
 */
export function showJson(value: unknown, search: string): ShownJson {
  const text = search.trim().toLowerCase()
  if (text === '') return { open: openFirst(value, null), found: null }
  const found = findInJson(value, text)
  return { open: openFirst(value, found), found }
}

/** Returns the members to show: those that are or contain a match, or all members if only the key of the object matches. */
export function membersOf(value: object, found: FoundJson | null): readonly JsonMember[] {
  const members: readonly JsonMember[] = Object.entries(value)
  if (!found?.containers.has(value)) return members
  const isList = Array.isArray(value)
  return members.filter(
    ([key, member]) =>
      isMatch(isList ? '' : key, member, found.text) || (isContainer(member) && found.containers.has(member)),
  )
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function findInJson(value: unknown, text: string): FoundJson {
  const containers = new Set<object>()
  const parents = new Map<object, object>()
  const waiting = isContainer(value) ? [value] : []
  let count = isMatch('', value, text) ? 1 : 0
  // Use no recursion: JSON can be nested more deeply than the call stack allows.
  for (let container = waiting.pop(); container; container = waiting.pop()) {
    const isList = Array.isArray(container)
    for (const [key, member] of Object.entries(container) as readonly JsonMember[]) {
      if (isContainer(member)) {
        parents.set(member, container)
        waiting.push(member)
      }
      if (!isMatch(isList ? '' : key, member, text)) continue
      count += 1
      for (let up: object | undefined = container; up && !containers.has(up); up = parents.get(up)) containers.add(up)
    }
  }
  return { text, count, containers }
}

function isMatch(key: string, value: unknown, text: string): boolean {
  return key.toLowerCase().includes(text) || (!isContainer(value) && String(value).toLowerCase().includes(text))
}

/** Returns the objects and lists to open, level by level, until there are too many rows. */
function openFirst(value: unknown, found: FoundJson | null): ReadonlySet<object> {
  const open = new Set<object>()
  let rows = 0
  let level = isContainer(value) ? [value] : []
  for (let depth = 0; level.length > 0 && (found || depth < 2); depth += 1) {
    const next: object[] = []
    for (const container of level) {
      if (rows >= rowLimit) return open
      const members = membersOf(container, found).slice(0, batchSize)
      if (rows + members.length > rowLimit) continue
      open.add(container)
      rows += members.length
      for (const [, member] of members) {
        if (isContainer(member) && (!found || found.containers.has(member))) next.push(member)
      }
    }
    level = next
  }
  return open
}

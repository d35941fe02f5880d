import { editDistance, isSimilar } from '../edit-distance.ts'
import type { ExplainMismatch, Mismatch, QueryCondition } from '../handlers/mismatch.ts'
import type { PathPattern } from '../routing/path-pattern.ts'
import { normalizeSegment, splitPath, type Route } from '../routing/route.ts'

/** A handler with a larger distance is not suggested. */
const farthest = 4

/**
 * Compares a request with a handler. Handlers get it as an argument, so that pages load it with the code that decides
 * about requests.
 */
export const explainMismatch: ExplainMismatch = (method, pattern, query, incoming) => {
  const isMethodRight = method === null || method === incoming.method
  const methodText = `method differs: ${method} expected, ${incoming.method} sent`
  if (incoming.matchPath(pattern)) {
    const queryText = query && explainQuery(query.conditions, incoming.url.searchParams)
    const differences = [!isMethodRight && methodText, queryText].filter(Boolean)
    if (differences.length === 0) return 'matches'
    return { distance: differences.length, difference: `path matches, ${differences.join('; ')}` }
  }
  const path = comparePaths(pattern, incoming.url)
  if (!path) return undefined
  const distance = path.distance + (isMethodRight ? 0 : 1)
  if (distance > farthest) return undefined
  return { distance, difference: isMethodRight ? path.difference : `${path.difference}; ${methodText}` }
}

/** Returns the first difference; `undefined` if the query matches. */
function explainQuery(conditions: readonly QueryCondition[], search: URLSearchParams): string | undefined {
  const failed = conditions.find(({ key, take }) => !take(search.getAll(key), {}))
  if (!failed) return undefined
  const sent = search.getAll(failed.key).map((value) => `\`${failed.key}=${value}\``)
  return `query differs: \`${failed.text}\` expected, ${sent.join(' and ') || 'nothing'} sent`
}

function comparePaths({ route }: PathPattern, url: URL): Mismatch | undefined {
  const sent = splitPath(url.pathname)
  const [first, ...rest] = route.segments
  const belowHost = first === normalizeSegment(url.host) && compareSegments({ ...route, segments: rest }, sent)
  if (belowHost) {
    const advice = `path begins with a host: put \`${url.protocol}//\` in front of it`
    return { distance: belowHost.distance + 1, difference: joinDifferences([advice, belowHost.difference]) }
  }
  const differences: string[] = []
  let distance = 0
  if (route.origin !== null && route.origin !== url.origin) {
    distance += 2
    differences.push(`origin differs: ${route.origin} expected, ${url.origin} sent`)
  }
  const segments = compareSegments(route, sent) ?? comparePrefixes(route, sent)
  if (!segments) return undefined
  distance += segments.distance
  differences.push(segments.difference)
  const difference =
    joinDifferences(differences) ||
    // A base URL with a slash at its end, and a path with a slash at its start.
    (url.pathname.includes('//')
      ? 'path sent contains `//`, path expected does not'
      : 'the path has the right shape, but a parameter does not fit')
  return { distance: Math.max(distance, 1), difference }
}

function joinDifferences(differences: readonly string[]): string {
  return differences.filter((difference) => difference !== '').join('; ')
}

/** Compares paths segment by segment. */
function compareSegments({ segments: expected, open }: Route, sent: readonly string[]): Mismatch | undefined {
  const differences: string[] = []
  let distance = 0
  let alike = 0
  const surplus = sent.length - expected.length
  if (surplus < 0 || (surplus > 0 && !open)) {
    distance += 2 * Math.abs(surplus)
    differences.push(`${count(expected.length)} expected, ${sent.length} sent`)
  }
  for (const [index, literal] of expected.entries()) {
    const segment = sent[index]
    if (literal === null || segment === undefined) continue
    const text = normalizeSegment(segment)
    if (text === literal) {
      alike += 1
      continue
    }
    // A different word is another resource, not a typo.
    if (!isSimilar(text, literal)) return undefined
    if (literal.length > 2) alike += 1
    distance += 1 + editDistance(text, literal) / 100
    differences.push(`segment ${index + 1} differs: \`${literal}\` expected, \`${segment}\` sent`)
  }
  // Do not suggest handlers that have no word in common with the request.
  const isNear = alike > 0 || (expected.length === 0 && !open)
  return isNear ? { distance, difference: differences.join('; ') } : undefined
}

/** Compares paths if one is the other with a prefix: `/users` and `/api/users`. */
function comparePrefixes({ segments: expected, open }: Route, sent: readonly string[]): Mismatch | undefined {
  const surplus = sent.length - expected.length
  if (surplus === 0 || open) return undefined
  const [shorter, longer] = surplus > 0 ? [expected, sent] : [sent, expected]
  const offset = Math.abs(surplus)
  let equal = 0
  for (const [index, one] of shorter.entries()) {
    const other = longer[index + offset]
    if (one === null || other === null) continue
    if (normalizeSegment(one) !== normalizeSegment(other ?? '')) return undefined
    equal += 1
  }
  if (equal === 0) return undefined
  const prefix = longer.slice(0, offset).map((segment) => `/${segment ?? '*'}`)
  const [one, other] = surplus > 0 ? ['sent', 'expected'] : ['expected', 'sent']
  return {
    distance: offset,
    difference: `path ${one} begins with \`${prefix.join('')}\`, path ${other} does not`,
  }
}

function count(segments: number): string {
  return segments === 1 ? '1 segment' : `${segments} segments`
}

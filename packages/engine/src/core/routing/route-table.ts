import { normalizeSegment, splitPath, type Route } from './route.ts'

/** A value with its position. The value with the lowest position answers first. */
export interface RouteTableEntry<Value> {
  readonly position: number
  readonly value: Value
}

interface Placed<Value> extends RouteTableEntry<Value> {
  readonly methods: readonly string[] | null
  readonly search: readonly string[] | undefined
}

type Wanted = { readonly method: string } & Pick<URL, 'search'>

interface Node<Value> {
  readonly literals: Map<string, Node<Value>>
  anySegment: Node<Value> | undefined
  /** Routes that end here. */
  readonly closed: Placed<Value>[]
  /** Routes that also match longer paths. */
  readonly open: Placed<Value>[]
}

/**
 * Finds the routes that a request could match, at a cost that grows only with the number of those routes. A tree of
 * path segments for each origin. Both the page's index and the worker's table are built from it, so they never
 * disagree.
 */
export class RouteTable<Value> {
  readonly #origins = new Map<string | null, Node<Value>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(route: Route, position: number, value: Value): void {
    let node = this.#origins.get(route.origin)
    if (!node) this.#origins.set(route.origin, (node = createNode()))
    for (const segment of route.segments) node = childOf(node, segment)
    const entry = { position, value, methods: route.methods, search: route.search }
    if (route.open) node.open.push(entry)
    else node.closed.push(entry)
    this.#size += 1
  }

  /**
   * Returns the values that a request could match, in their order.
   *
   * @param method in any case: `fetch` sends `patch` as it is given
   * @param url the request's URL
   */
  candidates(method: string, url: Pick<URL, 'origin' | 'pathname' | 'search'>): RouteTableEntry<Value>[] {
    const found: Placed<Value>[] = []
    if (this.#size === 0) return found
    const segments = splitPath(url.pathname)
    const wanted = { method: method.toUpperCase(), search: url.search }
    for (const origin of [url.origin, null]) {
      const root = this.#origins.get(origin)
      if (root) collect(root, segments, 0, wanted, found)
    }
    return found.length < 2 ? found : found.sort((a, b) => a.position - b.position)
  }
}

function createNode<Value>(): Node<Value> {
  return { literals: new Map(), anySegment: undefined, closed: [], open: [] }
}

function childOf<Value>(node: Node<Value>, segment: string | null): Node<Value> {
  if (segment === null) return (node.anySegment ??= createNode())
  let child = node.literals.get(segment)
  if (!child) node.literals.set(segment, (child = createNode()))
  return child
}

function collect<Value>(
  node: Node<Value>,
  segments: readonly string[],
  depth: number,
  wanted: Wanted,
  found: Placed<Value>[],
): void {
  take(node.open, wanted, found)
  const segment = segments[depth]
  if (segment === undefined) {
    take(node.closed, wanted, found)
    return
  }
  if (node.literals.size > 0) {
    const child = node.literals.get(normalizeSegment(segment))
    if (child) collect(child, segments, depth + 1, wanted, found)
  }
  if (node.anySegment) collect(node.anySegment, segments, depth + 1, wanted, found)
}

function take<Value>(entries: readonly Placed<Value>[], { method, search }: Wanted, found: Placed<Value>[]): void {
  for (const entry of entries) {
    if (entry.methods !== null && !entry.methods.includes(method)) continue
    const isBodiless = method === 'GET' || method === 'HEAD'
    if (!isBodiless || entry.search === undefined || hasParameter(search, entry.search)) found.push(entry)
  }
}

function hasParameter(search: string, names: readonly string[]): boolean {
  if (search === '') return false
  const given = new URLSearchParams(search)
  return names.some((name) => given.has(name))
}

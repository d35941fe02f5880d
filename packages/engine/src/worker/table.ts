import { isForCode } from '../core/routing/code-destinations.ts'
import { RouteTable } from '../core/routing/route-table.ts'
import type { Route } from '../core/routing/route.ts'
import { socketPath, tableForm, type TableMessage, type TablePart } from './protocol.ts'

/** An index of routes that are added and removed together. */
interface IndexedPart extends Required<TablePart> {
  readonly index: RouteTable<Route>
}

/** The route table of an engine of a page. */
export class Table {
  #parts: ReadonlyMap<number, IndexedPart> = new Map()
  #others: TableMessage['others'] = 'nothing'
  #wantsJson = false
  /** Whether the dev server answers the requests of a mocked document. */
  areServed: boolean | undefined

  get others(): TableMessage['others'] {
    return this.#others
  }

  get wantsJson(): boolean {
    return this.#wantsJson
  }

  /**
   * Replaces the table.
   *
   * @returns whether the message refers to a part that is unknown here. Then nothing is changed
   */
  set({ parts, others, wantsJson, areServed }: TableMessage): { isIncomplete: boolean } {
    const next = new Map<number, IndexedPart>()
    for (const { id, routes } of parts) {
      const part = this.#parts.get(id) ?? (routes && indexPart(id, routes))
      if (!part) return { isIncomplete: true }
      next.set(id, part)
    }
    this.#parts = next
    this.#others = others
    this.#wantsJson = wantsJson
    this.areServed = areServed
    return { isIncomplete: false }
  }

  /** Returns whether the page may answer a request: a handler could match it, or a web worker opens a WebSocket. */
  couldMatch(request: Request): boolean {
    const { method, url } = request
    const parsed = new URL(url)
    if (parsed.pathname === socketPath) return true
    const isOfApp = request.mode === 'navigate' || isForCode(request)
    for (const { index } of this.#parts.values()) {
      const found = index.candidates(method, parsed)
      if (isOfApp ? found.some(({ value }) => !value.skipsDocuments) : found.length > 0) return true
    }
    return false
  }
}

function indexPart(id: number, routes: readonly Route[]): IndexedPart {
  const index = new RouteTable<Route>()
  for (const [position, route] of routes.entries()) index.add(route, position, route)
  return { id, routes, index }
}

/** Returns whether a value has the shape of a table of the form that this worker knows. */
export function isTable(value: unknown): value is TableMessage {
  const { form, parts, others } = (value ?? {}) as Partial<TableMessage>
  return (
    form === tableForm &&
    Array.isArray(parts) &&
    parts.every(isPart) &&
    (others === 'nothing' || others === 'notify' || others === 'ask')
  )
}

function isPart(value: unknown): boolean {
  const { id, routes } = (value ?? {}) as Partial<TablePart>
  return typeof id === 'number' && (routes === undefined || (Array.isArray(routes) && routes.every(isRoute)))
}

function isRoute(value: unknown): boolean {
  const { methods, origin, segments, search } = (value ?? {}) as Partial<Route>
  return (
    isTextOrNull(origin) &&
    Array.isArray(segments) &&
    segments.every(isTextOrNull) &&
    (methods === null || isTexts(methods)) &&
    (search === undefined || isTexts(search))
  )
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

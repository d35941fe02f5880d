import type { LayerEntry } from '../core/handlers/handler-layers.ts'
import { isRequestHandler, type RequestHandler } from '../core/handlers/request-handler.ts'
import { RouteTable } from '../core/routing/route-table.ts'
import type { Route } from '../core/routing/route.ts'
import type { GraphQLHandlerInfo } from '../graphql/graphql-handler.ts'

/**
 * Finds entries that never get a request, because an earlier one matches every request that they match. Reports only
 * entries whose paths show this for certain. The earlier handler may still leave a request to the next one.
 *
 * @returns the id of the earlier entry, by the id of the later one
 */
export function findShadows(entries: readonly LayerEntry[], baseUrl: string | undefined): Map<number, number> {
  const shadows = new Map<number, number>()
  const earlier = new RouteTable<Earlier>()
  const earlierOperations = new Map<string, Earlier[]>()
  for (const [position, { id, handler, enabled }] of entries.entries()) {
    if (!isRequestHandler(handler)) continue
    const route = handler.route(baseUrl)
    const keys = operationKeys(handler)
    const shadow =
      earlier
        .candidates(...sampleOf(route))
        .map(({ value }) => value)
        .find((value) => coversRoute(value.route, route)) ??
      keys.flatMap((key) => earlierOperations.get(key ?? '') ?? []).find((value) => coversRoute(value.route, route))
    if (shadow) shadows.set(id, shadow.id)
    // A `once` handler leaves all further requests to others.
    if (!enabled || handler.once) continue
    const [key] = keys
    if (key !== undefined && (route.exact || isOfAnyUrl(handler))) {
      const others = earlierOperations.get(key) ?? []
      earlierOperations.set(key, [...others, { id, route: { ...route, methods: null } }])
    }
    if (route.exact && !handler.protocol) earlier.add(route, position, { id, route })
  }
  return shadows
}

interface Earlier {
  readonly id: number
  readonly route: Route
}

/**
 * Returns the keys of a GraphQL handler: its own first, then those of handlers that also shadow it (`'all'`).
 * `undefined` if it is unknown which operations it answers.
 */
function operationKeys({ protocol, info }: RequestHandler<Partial<GraphQLHandlerInfo>>): (string | undefined)[] {
  const { operationType, operationName } = info
  if (!protocol || operationType === undefined) return []
  if (operationType === 'all') return ['all']
  const key = typeof operationName === 'string' ? `${operationType} ${operationName}` : undefined
  // Only handlers of subscriptions answer subscriptions over a WebSocket.
  return operationType === 'subscription' ? [key] : [key, 'all']
}

function isOfAnyUrl({ info }: RequestHandler<Partial<GraphQLHandlerInfo>>): boolean {
  return info.url === null
}

/**
 * Returns a sample request that every route that covers this one could match. It uses text that equals no literal for
 * parameters.
 */
function sampleOf({ methods, origin, segments }: Route): Parameters<RouteTable<never>['candidates']> {
  const pathname = segments.map((segment) => `/${segment ?? '\0'}`).join('')
  return [methods?.[0] ?? '\0', { origin: origin ?? '\0', pathname, search: '' }]
}

/**
 * Returns whether a handler of the first route, which is exact, matches every request that the second route could
 * match.
 */
function coversRoute(first: Route, second: Route): boolean {
  if (first.origin !== null && first.origin !== second.origin) return false
  if (first.methods !== null && !second.methods?.every((method) => first.methods?.includes(method))) return false
  const surplus = second.segments.length - first.segments.length
  if (surplus < 0) return false
  if (!first.open && (second.open || surplus > 0)) return false
  // `/a/*` requires the slash: it covers `/a/b` and `/a/*`, but not `/a`.
  if (first.open && surplus === 0 && first.segments.length > 0 && !(second.open && second.exact)) return false
  return first.segments.every((segment, index) => segment === null || segment === second.segments[index])
}

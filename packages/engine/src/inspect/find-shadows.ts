import type { LayerEntry } from '../core/handlers/handler-layers.ts'
import { isRequestHandler, type RequestHandler } from '../core/handlers/request-handler.ts'
import { RouteTable } from '../core/routing/route-table.ts'
import type { Route } from '../core/routing/route.ts'
import type { GraphQLHandlerInfo } from '../graphql/graphql-handler.ts'

/**
 * Which entries never get a request, because an earlier one matches whatever they do.
 * Said only where it is sure of the paths; the earlier handler may still leave a request to the next.
 *
 * @returns the id of the earlier entry, by that of the later
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
    // One that answers once leaves the rest of the requests to others.
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
 * What a handler of GraphQL answers by its name, or `'all'`: the first is under what it stands itself, the others are
 * what shadows it too. `undefined`: it is not sure what it answers.
 */
function operationKeys({ protocol, info }: RequestHandler<Partial<GraphQLHandlerInfo>>): (string | undefined)[] {
  const { operationType, operationName } = info
  if (!protocol || operationType === undefined) return []
  if (operationType === 'all') return ['all']
  const key = typeof operationName === 'string' ? `${operationType} ${operationName}` : undefined
  // Over a WebSocket, a subscription is the business of its own handlers.
  return operationType === 'subscription' ? [key] : [key, 'all']
}

function isOfAnyUrl({ info }: RequestHandler<Partial<GraphQLHandlerInfo>>): boolean {
  return info.url === null
}

/** A request that every route that covers this one could match: no literal is the same as what stands for any segment. */
function sampleOf({ methods, origin, segments }: Route): Parameters<RouteTable<never>['candidates']> {
  const pathname = segments.map((segment) => `/${segment ?? '\0'}`).join('')
  return [methods?.[0] ?? '\0', { origin: origin ?? '\0', pathname, search: '' }]
}

/** Whether every request that the second route could match is matched by a handler of the first, exact one. */
function coversRoute(first: Route, second: Route): boolean {
  if (first.origin !== null && first.origin !== second.origin) return false
  if (first.methods !== null && !second.methods?.every((method) => first.methods?.includes(method))) return false
  const surplus = second.segments.length - first.segments.length
  if (surplus < 0) return false
  if (!first.open && (second.open || surplus > 0)) return false
  // `/a/*` wants the slash: it covers `/a/b` and `/a/*`, and not `/a`.
  if (first.open && surplus === 0 && first.segments.length > 0 && !(second.open && second.exact)) return false
  return first.segments.every((segment, index) => segment === null || segment === second.segments[index])
}

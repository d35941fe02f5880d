import type { LayerEntry } from '../core/handlers/handler-layers.ts'
import { isRequestHandler } from '../core/handlers/request-handler.ts'
import { RouteTable } from '../core/routing/route-table.ts'
import type { Route } from '../core/routing/route.ts'

/**
 * Which entries never get a request, because an earlier one matches whatever they do.
 * Said only where it is sure of the paths; the earlier handler may still leave a request to the next.
 *
 * @returns the id of the earlier entry, by that of the later
 */
export function findShadows(entries: readonly LayerEntry[], baseUrl: string | undefined): Map<number, number> {
  const shadows = new Map<number, number>()
  const earlier = new RouteTable<{ id: number; route: Route }>()
  for (const [position, { id, handler, enabled }] of entries.entries()) {
    if (!isRequestHandler(handler)) continue
    const route = handler.route(baseUrl)
    const shadow = earlier.candidates(...sampleOf(route)).find(({ value }) => coversRoute(value.route, route))
    if (shadow) shadows.set(id, shadow.value.id)
    // One that answers once leaves the rest of the requests to others.
    if (enabled && route.exact && !handler.once) earlier.add(route, position, { id, route })
  }
  return shadows
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

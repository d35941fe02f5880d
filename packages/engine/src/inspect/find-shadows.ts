import type { LayerEntry } from '../core/handlers/handler-layers.ts'
import { isRequestHandler } from '../core/handlers/request-handler.ts'
import type { Route } from '../core/routing/route.ts'

/**
 * Which entries never get a request, because an earlier one matches whatever they do.
 * Said only where it is sure of the paths; the earlier handler may still leave a request to the next.
 *
 * @returns the id of the earlier entry, by that of the later
 */
export function findShadows(entries: readonly LayerEntry[], baseUrl: string | undefined): Map<number, number> {
  const shadows = new Map<number, number>()
  const earlier: { id: number; route: Route }[] = []
  for (const { id, handler, enabled } of entries) {
    if (!isRequestHandler(handler)) continue
    const route = handler.route(baseUrl)
    const shadow = earlier.find((candidate) => coversRoute(candidate.route, route))
    if (shadow) shadows.set(id, shadow.id)
    // One that answers once leaves the rest of the requests to others.
    if (enabled && route.exact && !handler.once) earlier.push({ id, route })
  }
  return shadows
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

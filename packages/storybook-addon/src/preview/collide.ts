import type { Handler } from '@understudy/engine'
import { isRequestHandler, type Route } from '@understudy/engine/internal/page'

/**
 * Returns whether two stories of one page could get each other's responses: a handler that only one of them has could
 * answer a request for a handler of the other, or for a shared handler.
 *
 * @param shared the project's handlers, which answer after those of the stories
 */
export function doCollide(
  first: readonly Handler[],
  second: readonly Handler[],
  shared: readonly Handler[],
  baseUrl: string | undefined,
): boolean {
  const reaches = (own: readonly Handler[], others: readonly Handler[]): boolean =>
    own.some(
      (handler) =>
        !others.includes(handler) && [...others, ...shared].some((other) => doOverlap(handler, other, baseUrl)),
    )
  return reaches(first, second) || reaches(second, first)
}

/** Returns whether there could be a request or a connection that both handlers match. */
function doOverlap(first: Handler, second: Handler, baseUrl: string | undefined): boolean {
  if (first.kind !== second.kind) return false
  if (!isRequestHandler(first) || !isRequestHandler(second)) return first.info.header === second.info.header
  if (first.protocol && first.protocol === second.protocol) {
    return first.key === undefined || second.key === undefined || first.key === second.key
  }
  if (first.protocol || second.protocol) return false
  return doRoutesOverlap(first.route(baseUrl), second.route(baseUrl))
}

function doRoutesOverlap(first: Route, second: Route): boolean {
  if (first.origin !== null && second.origin !== null && first.origin !== second.origin) return false
  if (first.methods && second.methods && !first.methods.some((method) => second.methods?.includes(method))) return false
  const [shorter, longer] = first.segments.length < second.segments.length ? [first, second] : [second, first]
  if (longer.segments.length > shorter.segments.length && !shorter.open) return false
  return shorter.segments.every((segment, index) => {
    const other = longer.segments[index]
    return segment === null || other === null || segment === other
  })
}

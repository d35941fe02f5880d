import { captureCallSite } from '../core/call-site.ts'
import type { AnyResolver } from '../core/handlers/request-handler.ts'
import type { DefaultBodyType } from '../core/responses/http-response.ts'
import type { OpenParamsOf, PathParams } from '../core/routing/path-params.ts'
import type { Path } from '../core/routing/path-pattern.ts'
import { type AnyHttpPredicate, HttpHandler, type HttpHandlerOptions, type HttpPredicate } from './http-handler.ts'
import type { HttpResponseResolver } from './http-resolver.ts'
import { suggestQueryPattern, type QueryParamsOf, type QueryPattern } from './query-pattern.ts'
import { warnOfSearch } from './search-warning.ts'

/** The parameters of a resolver: those that the caller declares, or those of the path and the query. */
type MatchedParams<Params, Predicate, Query extends QueryPattern> = [PathParams] extends [Params]
  ? Predicate extends string
    ? OpenParamsOf<Predicate> & QueryParamsOf<Query>
    : Predicate extends HttpPredicate<infer Found extends PathParams>
      ? Found & QueryParamsOf<Query>
      : Params & QueryParamsOf<Query>
  : Params

/**
 * Creates a handler for one method.
 *
 * @throws {UnderstudyError} if the predicate is not valid or the resolver is not a function
 * @example
 * http.get('/user/:id', ({ params }) => HttpResponse.json({ id: params.id }))
 * http.get<{ id: string }, never, User>('/user/:id', ({ params }) => HttpResponse.json(users[params.id]))
 */
export interface HttpHandlerFactory {
  <
    Params extends PathParams<keyof Params> = PathParams,
    RequestBody = DefaultBodyType,
    ResponseBody = undefined,
    const Predicate extends Path | HttpPredicate<PathParams> = Path | HttpPredicate<Params>,
    const Query extends QueryPattern = QueryPattern,
  >(
    predicate: Predicate,
    resolver: HttpResponseResolver<MatchedParams<Params, Predicate, Query>, RequestBody, ResponseBody>,
    options?: HttpHandlerOptions<Query>,
  ): HttpHandler
}

/**
 * Creates the factory of a method.
 *
 * @param method upper case; `null`: any
 * @param toPath converts the caller's path
 */
export function createHttpFactory(
  method: string | null,
  toPath: (path: string) => string = (path) => path,
): HttpHandlerFactory {
  function factory(
    predicate: Path | AnyHttpPredicate,
    resolver: AnyResolver,
    options: HttpHandlerOptions = {},
  ): HttpHandler {
    const read = typeof predicate === 'string' ? toPath(predicate) : predicate
    const handler = new HttpHandler(method, read, resolver, options, captureCallSite(factory))
    warnOfSearch(handler, (path, search) => adviseOnSearch(method, path, search))
    return handler
  }
  return factory
}

function adviseOnSearch(method: string | null, path: string, search: string): string {
  if (search.startsWith('#')) return `Write '${path}'.`
  const name = method?.toLowerCase() ?? 'all'
  return (
    `To match it, write http.${name}('${path}', resolver, { query: ${suggestQueryPattern(search)} }). ` +
    `To read it in the resolver, write http.${name}('${path}', ({ url }) => …) and url.searchParams.get(…).`
  )
}

/** A factory for each method. `all` creates handlers for any method. */
export interface Http {
  readonly all: HttpHandlerFactory
  readonly get: HttpHandlerFactory
  readonly head: HttpHandlerFactory
  readonly post: HttpHandlerFactory
  readonly put: HttpHandlerFactory
  readonly patch: HttpHandlerFactory
  readonly delete: HttpHandlerFactory
  readonly options: HttpHandlerFactory
}

/**
 * Creates handlers for HTTP requests, by method.
 *
 * @example
 * const handlers = [
 *   http.get('/user/:id', ({ params }) => HttpResponse.json({ id: params.id })),
 *   http.post('/login', () => new HttpResponse(null, { status: 204, headers: { 'Set-Cookie': 'session=1' } })),
 *   http.all('*', () => passthrough()),
 * ]
 */
export const http: Http = {
  all: /* @__PURE__ */ createHttpFactory(null),
  head: /* @__PURE__ */ createHttpFactory('HEAD'),
  get: /* @__PURE__ */ createHttpFactory('GET'),
  post: /* @__PURE__ */ createHttpFactory('POST'),
  put: /* @__PURE__ */ createHttpFactory('PUT'),
  delete: /* @__PURE__ */ createHttpFactory('DELETE'),
  patch: /* @__PURE__ */ createHttpFactory('PATCH'),
  options: /* @__PURE__ */ createHttpFactory('OPTIONS'),
}

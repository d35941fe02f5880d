import { captureCallSite } from '../core/call-site.ts'
import type { AnyResolver } from '../core/handlers/request-handler.ts'
import type { Path } from '../core/routing/match-request-url.ts'
import {
  createHttpHandler,
  type AnyHttpPredicate,
  type HttpHandler,
  type HttpHandlerOptions,
  type HttpPredicate,
} from './http-handler.ts'
import type { HttpResponseResolver } from './http-resolver.ts'
import type { ParamsOf, PathParams } from './path-params.ts'
import { suggestQueryPattern, type QueryParamsOf, type QueryPattern } from './query-pattern.ts'
import { warnOfSearch } from './search-warning.ts'
import { fromOpenApiPath, type TypedHttp, type TypedHttpOptions } from './typed-http.ts'

/**
 * Makes a handler of one method.
 *
 * @throws for a predicate or a resolver that is none
 * @example
 * http.get('/user/:id', ({ params }) => HttpResponse.json({ id: params.id }))
 * http.get<{ id: string }, never, User>('/user/:id', ({ params }) => HttpResponse.json(users[params.id]))
 */
export interface HttpHandlerFactory {
  /** Infers the parameters from the path and the query. */
  <const PathText extends string, const Query extends QueryPattern = Record<never, never>>(
    path: PathText,
    resolver: HttpResponseResolver<ParamsOf<PathText> & QueryParamsOf<Query>>,
    options?: HttpHandlerOptions<Query>,
  ): HttpHandler
  /** Takes the types of parameters, request body and response body from the caller. */
  <Params extends PathParams<keyof Params> = PathParams, RequestBody = unknown, ResponseBody = undefined>(
    predicate: Path | HttpPredicate<Params>,
    resolver: HttpResponseResolver<Params, RequestBody, ResponseBody>,
    options?: HttpHandlerOptions,
  ): HttpHandler
}

function createFactory(method: string | null, toPath: (path: string) => string = (path) => path): HttpHandlerFactory {
  function factory(
    predicate: Path | AnyHttpPredicate,
    resolver: AnyResolver,
    options: HttpHandlerOptions = {},
  ): HttpHandler {
    const read = typeof predicate === 'string' ? toPath(predicate) : predicate
    const handler = createHttpHandler(method, read, resolver, options, captureCallSite(factory))
    warnOfSearch(handler, (path, search) => mendSearch(method, path, search))
    return handler
  }
  return factory
}

function mendSearch(method: string | null, path: string, search: string): string {
  if (search.startsWith('#')) return `Write '${path}'.`
  const name = method?.toLowerCase() ?? 'all'
  return (
    `To match it, write http.${name}('${path}', resolver, { query: ${suggestQueryPattern(search)} }). ` +
    `To read it in the resolver, write http.${name}('${path}', ({ url }) => …) and url.searchParams.get(…).`
  )
}

/** A factory for each method; `all` makes handlers of any. */
export type HttpHandlerFactories = Readonly<
  Record<'all' | 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options', HttpHandlerFactory>
>

export interface Http extends HttpHandlerFactories {
  /**
   * Factories that are checked against an OpenAPI document: its paths, their parameters, request and response bodies.
   *
   * @typeParam Paths the `paths` that openapi-typescript generates
   * @example
   * import type { paths } from './api.d.ts'
   * const api = http.typed<paths>({ baseUrl: 'https://api.example.com' })
   * const handlers = [api.get('/users/{id}', ({ params }) => HttpResponse.json({ id: params.id, name: 'Ada' }))]
   */
  typed<Paths>(options?: TypedHttpOptions): TypedHttp<Paths>
}

/**
 * Handlers of HTTP requests, by method.
 *
 * @example
 * const handlers = [
 *   http.get('/user/:id', ({ params }) => HttpResponse.json({ id: params.id })),
 *   http.post('/login', () => new HttpResponse(null, { status: 204, headers: { 'Set-Cookie': 'session=1' } })),
 *   http.all('*', () => passthrough()),
 * ]
 */
export const http: Http = {
  ...createFactories(),
  typed(options = {}) {
    const { all: _all, ...typed } = createFactories((path) => fromOpenApiPath(path, options))
    return typed
  },
}

function createFactories(toPath?: (path: string) => string): HttpHandlerFactories {
  return {
    all: createFactory(null, toPath),
    get: createFactory('GET', toPath),
    head: createFactory('HEAD', toPath),
    post: createFactory('POST', toPath),
    put: createFactory('PUT', toPath),
    patch: createFactory('PATCH', toPath),
    delete: createFactory('DELETE', toPath),
    options: createFactory('OPTIONS', toPath),
  }
}

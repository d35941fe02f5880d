import { captureCallSite } from '../core/call-site.ts'
import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import type { DefaultBodyType } from '../core/responses/http-response.ts'
import type { OpenParamsOf, PathParams } from '../core/routing/path-params.ts'
import type { Path } from '../core/routing/path-pattern.ts'
import { HttpHandler } from '../http/http-handler.ts'
import { warnOfSearch } from '../http/search-warning.ts'
import { createComposedResolver, type AnyComposedResolver, type ComposedResolver } from '../msw1/composed-resolver.ts'
import { restContext, type RestContext } from '../msw1/contexts.ts'
import type { MockedRequest } from '../msw1/mocked-request.ts'

/** `req` of a `rest` handler. */
export interface RestRequest<RequestBody = DefaultBodyType, Params = PathParams> extends MockedRequest<RequestBody> {
  readonly params: Params
}

/** A resolver of a `rest` handler: `(req, res, ctx) => res(ctx.json({}))`. */
export type RestResolver<RequestBody = DefaultBodyType, Params = PathParams, ResponseBody = unknown> = ComposedResolver<
  RestRequest<RequestBody, Params>,
  RestContext,
  ResponseBody
>

/**
 * A handler that `rest.get` or a similar function creates. The type parameter exists only for compatibility with MSW 1.
 */
export type RestHandler<_Request = MockedRequest> = HttpHandler

/**
 * Creates a handler for one method.
 *
 * @throws {UnderstudyError} if the path is not valid or the resolver is not a function
 * @example
 * rest.get('/user/:id', (req, res, ctx) => res(ctx.status(200), ctx.json({ id: req.params.id })))
 * rest.post<Login, never, Session>('/login', (req, res, ctx) => res(ctx.json({ user: req.body.name })))
 */
export interface RestHandlerFactory {
  /** Infers the parameters from the path. */
  <const PathText extends string>(
    path: string extends PathText ? never : PathText,
    resolver: RestResolver<DefaultBodyType, OpenParamsOf<PathText>>,
  ): RestHandler
  /** The caller declares the types of request body, parameters and response body. */
  <RequestBody = DefaultBodyType, Params extends PathParams<keyof Params> = PathParams, ResponseBody = unknown>(
    path: Path,
    resolver: RestResolver<RequestBody, Params, ResponseBody>,
  ): RestHandler
}

function createFactory(method: string | null): RestHandlerFactory {
  return function factory(path: Path, resolver: AnyComposedResolver): RestHandler {
    if (typeof resolver !== 'function' || typeof path === 'function') {
      throw failure(
        'US0117',
        `create the handler ${method ?? 'ALL'} ${String(path)}`,
        typeof path === 'function' ? 'its path is a function' : `its second argument is ${describe(resolver)}`,
        "Write: rest.get('/user', (req, res, ctx) => res(ctx.json({}))).",
      )
    }
    const composed = createComposedResolver(resolver, restContext, () => handler)
    const handler = new HttpHandler(method, path, composed, {}, captureCallSite(factory))
    warnOfSearch(
      handler,
      (pathname) => `Write '${pathname}' and read the query in the resolver: req.url.searchParams.get(…).`,
    )
    return handler
  }
}

/**
 * Creates handlers of HTTP requests with MSW 1's resolvers. For new handlers, use `http`. A transformer
 * (`ctx.status(…)`) changes the response that `res()` composes. The last one is applied first.
 *
 * @example
 * rest.post('/login', async (req, res, ctx) => {
 *   const { user } = await req.json()
 *   return res(ctx.status(201), ctx.cookie('session', '1'), ctx.json({ user }))
 * })
 */
export const rest: Readonly<
  Record<'all' | 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options', RestHandlerFactory>
> = {
  /** Any method. */
  all: createFactory(null),
  get: createFactory('GET'),
  head: createFactory('HEAD'),
  post: createFactory('POST'),
  put: createFactory('PUT'),
  patch: createFactory('PATCH'),
  delete: createFactory('DELETE'),
  options: createFactory('OPTIONS'),
}

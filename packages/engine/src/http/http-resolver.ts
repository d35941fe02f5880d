import type { ResponseResolver } from '../core/handlers/request-handler.ts'
import type { DefaultBodyType } from '../core/responses/http-response.ts'
import type { PathParams } from '../core/routing/path-params.ts'

/** The arguments of an HTTP resolver in addition to `ResolverInfo`. */
export interface HttpRequestResolverExtras<Params = PathParams> {
  params: Params
}

/** Answers HTTP requests. Its argument has the members of `ResolverInfo`, and `params`. */
export type HttpResponseResolver<
  Params = PathParams,
  RequestBody = DefaultBodyType,
  ResponseBody = DefaultBodyType,
> = ResponseResolver<HttpRequestResolverExtras<Params>, RequestBody, ResponseBody>

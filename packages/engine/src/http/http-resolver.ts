import type { ResponseResolver } from '../core/handlers/request-handler.ts'
import type { DefaultBodyType } from '../core/responses/http-response.ts'
import type { PathParams } from '../core/routing/path-params.ts'

/** What resolvers of HTTP handlers are told besides what all are. */
export interface HttpRequestResolverExtras<Params = PathParams> {
  params: Params
}

/** Answers HTTP requests: see `ResolverInfo` for what it is told, besides `params`. */
export type HttpResponseResolver<
  Params = PathParams,
  RequestBody = DefaultBodyType,
  ResponseBody = DefaultBodyType,
> = ResponseResolver<HttpRequestResolverExtras<Params>, RequestBody, ResponseBody>

import type { ResolverInfo, ResponseResolver as ResolverOfToday } from '../core/handlers/request-handler.ts'
import type { DefaultBodyType } from '../core/responses/http-response.ts'
import type { ComposedResolver, UndeclaredComposedResolver } from './composed-resolver.ts'
import type { MockedRequest } from './mocked-request.ts'

/**
 * The type of a resolver, as MSW's handlers name it: `ResponseResolver<Extras, RequestBody, ResponseBody>` since MSW 2,
 * `ResponseResolver<MockedRequest, Context, ResponseBody>` in MSW 1. The first type shows which of the two is meant.
 */
export type ResponseResolver<
  Extras = Record<never, never>,
  RequestBodyOrContext = DefaultBodyType,
  ResponseBody = undefined,
> =
  IsAny<Extras> extends true
    ? ResolverOfToday<Extras, RequestBodyOrContext, ResponseBody>
    : [Extras] extends [MockedRequest<infer _>]
      ? [ResponseBody] extends [undefined]
        ? UndeclaredComposedResolver<Extras, RequestBodyOrContext>
        : ComposedResolver<Extras, RequestBodyOrContext, ResponseBody>
      : ResolverOfToday<Extras, RequestBodyOrContext, ResponseBody>

type IsAny<Type> = 0 extends 1 & Type ? true : false

/** The arguments of a resolver: the common ones, and those of its protocol. */
export type ResponseResolverInfo<
  Extras = Record<never, never>,
  RequestBody = DefaultBodyType,
> = ResolverInfo<RequestBody> & Extras

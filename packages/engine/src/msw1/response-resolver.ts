import type { ResolverInfo, ResponseResolver as ResolverOfToday } from '../core/handlers/request-handler.ts'
import type { DefaultBodyType } from '../core/responses/http-response.ts'
import type { ComposedResolver, UndeclaredComposedResolver } from './composed-resolver.ts'
import type { MockedRequest } from './mocked-request.ts'

/**
 * The type of a resolver: `ResponseResolver<Extras, RequestBody, ResponseBody>` as in MSW 2 and later, or
 * `ResponseResolver<MockedRequest, Context, ResponseBody>` as in MSW 1. The first type argument shows which of the two
 * is used.
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

/** The argument of a resolver: the common members, and those of its protocol. */
export type ResponseResolverInfo<
  Extras = Record<never, never>,
  RequestBody = DefaultBodyType,
> = ResolverInfo<RequestBody> & Extras

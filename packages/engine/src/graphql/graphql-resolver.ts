import type { ResolverInfo, ResponseResolver } from '../core/handlers/request-handler.ts'
import type { DefaultBodyType } from '../core/responses/http-response.ts'
import type { PathParams } from '../core/routing/path-params.ts'
import type { ComposedResolver } from '../msw1/composed-resolver.ts'
import type { GraphQLContext } from '../msw1/contexts.ts'
import type { MockedRequest } from '../msw1/mocked-request.ts'
import type { GraphQLOperationType } from './document/read-operations.ts'

/**
 * The data of an operation: an object, or `null` if it failed. Members are `any`, because interfaces are not assignable
 * to `unknown` members.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- `unknown` would refuse interfaces
export type GraphQLQuery = Record<string, any> | null

/** The variables of an operation whose types are not known. They are `any`, so that resolvers can read `variables.input.name`. */
// oxlint-disable-next-line typescript/no-explicit-any -- resolvers without declared types read what is inside
export type GraphQLVariables = Record<string, any>

/** The known members of an error in a result. Errors of the `graphql` package are assignable. */
export interface GraphQLResultError {
  readonly message?: string | undefined
  readonly locations?: readonly { readonly line: number; readonly column: number }[] | undefined
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: object | undefined
}

/** The result of an operation: the body of a response. */
export type GraphQLResponseBody<Data> =
  | {
      data?: Data | null | undefined
      errors?: readonly GraphQLResultError[] | null | undefined
      extensions?: object | undefined
    }
  | null
  | undefined

/** The arguments of a GraphQL resolver in addition to `ResolverInfo`. */
export interface GraphQLResolverExtras<Variables> {
  /** The document; empty if the request has a hash that is in no map. */
  query: string
  operationType: GraphQLOperationType
  /** Empty: the operation is anonymous. */
  operationName: string
  variables: Variables
  /** The request's `extensions`. */
  extensions: Record<string, unknown>
  /** Parameters of the link's path. */
  params: PathParams
}

/** Answers GraphQL operations. The body of a response of `HttpResponse.json` must fit `Data`. */
export type GraphQLResponseResolver<Data = GraphQLQuery, Variables = GraphQLVariables> = ResponseResolver<
  GraphQLResolverExtras<Variables>,
  DefaultBodyType,
  GraphQLResponseBody<[Data] extends [never] ? GraphQLQuery : Data>
>

/**
 * `req` of a `graphql` handler of MSW 1. It also has the arguments of a current resolver, so one type serves both. With
 * a union of two function types, TypeScript would not infer the types of parameters.
 */
export type GraphQLMockedRequest<Variables> = MockedRequest & GraphQLResolverExtras<Variables>

/** A current resolver, or one of MSW 1: `(req, res, ctx) => res(ctx.data({}))`. */
export type GraphQLComposedResolver<Data, Variables> = ComposedResolver<
  ResolverInfo & GraphQLMockedRequest<Variables>,
  GraphQLContext<Data>,
  unknown,
  GraphQLResponseBody<[Data] extends [never] ? GraphQLQuery : Data>
>

import type { ResolverInfo, ResponseResolver } from '../core/handlers/request-handler.ts'
import type { DefaultBodyType } from '../core/responses/http-response.ts'
import type { PathParams } from '../core/routing/path-params.ts'
import type { ComposedResolver } from '../msw1/composed-resolver.ts'
import type { GraphQLContext } from '../msw1/contexts.ts'
import type { MockedRequest } from '../msw1/mocked-request.ts'
import type { GraphQLOperationType } from './document/read-operations.ts'

/** What an operation may return: an object, or `null` where it failed. Members are `any`: only so may it be an interface. */
// oxlint-disable-next-line typescript/no-explicit-any -- `unknown` would refuse interfaces
export type GraphQLQuery = Record<string, any> | null

/** The variables of an operation whose types are not known. They are `any`, so that resolvers can read `variables.input.name`. */
// oxlint-disable-next-line typescript/no-explicit-any -- resolvers without declared types read what is inside
export type GraphQLVariables = Record<string, any>

/** An error of a result, as far as it is known. Errors of the `graphql` package fit. */
export interface GraphQLResultError {
  readonly message?: string | undefined
  readonly locations?: readonly { readonly line: number; readonly column: number }[] | undefined
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: object | undefined
}

/** The result of an operation, as it stands in the body of a response. */
export type GraphQLResponseBody<Data> =
  | {
      data?: Data | null | undefined
      errors?: readonly GraphQLResultError[] | null | undefined
      extensions?: object | undefined
    }
  | null
  | undefined

/** What a GraphQL resolver is told besides `ResolverInfo`. */
export interface GraphQLResolverExtras<Variables> {
  /** The document; empty where a hash that no map knows stands for it. */
  query: string
  operationType: GraphQLOperationType
  /** Empty: the operation is anonymous. */
  operationName: string
  variables: Variables
  /** What the request says besides. */
  extensions: Record<string, unknown>
  /** Parameters of the link's path. */
  params: PathParams
}

/** Answers GraphQL operations. The body of a response that `HttpResponse.json` makes must fit `Data`. */
export type GraphQLResponseResolver<Data = GraphQLQuery, Variables = GraphQLVariables> = ResponseResolver<
  GraphQLResolverExtras<Variables>,
  DefaultBodyType,
  GraphQLResponseBody<[Data] extends [never] ? GraphQLQuery : Data>
>

/**
 * `req` of a `graphql` handler of MSW 1. Since it has what resolvers are told today, one type does for both: where two
 * forms of a function compete, TypeScript gives the parameters of neither a type.
 */
export type GraphQLMockedRequest<Variables> = MockedRequest & GraphQLResolverExtras<Variables>

/** A resolver of today, or of MSW 1: `(req, res, ctx) => res(ctx.data({}))`. */
export type GraphQLComposedResolver<Data, Variables> = ComposedResolver<
  ResolverInfo & GraphQLMockedRequest<Variables>,
  GraphQLContext<Data>,
  unknown,
  GraphQLResponseBody<[Data] extends [never] ? GraphQLQuery : Data>
>

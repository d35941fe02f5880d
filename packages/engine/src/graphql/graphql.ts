import { captureCallSite } from '../core/call-site.ts'
import { checkOptions } from '../core/handlers/check-handlers.ts'
import type { AnyResolver, HandlerOptions } from '../core/handlers/request-handler.ts'
import type { Path } from '../core/routing/path-pattern.ts'
import { anyEndpoint, createEndpoint, type Endpoint, type GraphQLLinkOptions } from './endpoint.ts'
import { createGraphQLHandler, type GraphQLHandler } from './graphql-handler.ts'
import type { GraphQLComposedResolver, GraphQLQuery, GraphQLVariables } from './graphql-resolver.ts'
import { readOperationPredicate, type GraphQLPredicate } from './operation-predicate.ts'
import { createSchemaHandler, type GraphQLSchemaOptions } from './schema/schema-handler.ts'
import type { GraphQLSchemaSource } from './schema/schema-source.ts'
import { createSubscriptionHandler, type GraphQLSubscriptionResolver } from './subscriptions/subscription-handler.ts'
import { withWebSocketSide } from './subscriptions/web-socket-side.ts'

/**
 * Creates a handler of queries or of mutations.
 *
 * @param predicate the operation's name, a RegExp for it, a document (whose types the resolver then has), or a function
 * @throws {UnderstudyError} if the predicate is not valid or the resolver is not a function
 * @example
 * graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { user: { id: variables.id } } }))
 * graphql.query<GetUserQuery, GetUserQueryVariables>('GetUser', resolver)
 * graphql.query(GetUserDocument, resolver)
 */
export interface GraphQLHandlerFactory {
  <Data extends GraphQLQuery = GraphQLQuery, Variables extends GraphQLVariables = GraphQLVariables>(
    predicate: GraphQLPredicate<Data, Variables>,
    resolver: GraphQLComposedResolver<Data, Variables>,
    options?: HandlerOptions,
  ): GraphQLHandler
}

/**
 * Creates a handler of any operation, including anonymous ones.
 *
 * @throws {UnderstudyError} if the resolver is not a function
 * @example
 * graphql.operation(async ({ query, variables }) => {
 *   const { errors, data } = await executeGraphQL({ schema, source: query, variableValues: variables, rootValue })
 *   return HttpResponse.json({ errors, data })
 * })
 */
export interface GraphQLOperationHandlerFactory {
  <Data extends GraphQLQuery = GraphQLQuery, Variables extends GraphQLVariables = GraphQLVariables>(
    resolver: GraphQLComposedResolver<Data, Variables>,
    options?: HandlerOptions,
  ): GraphQLHandler
}

/**
 * Creates a handler of subscriptions over server-sent events, multipart responses and WebSockets.
 * Its resolver publishes results, or returns an iterable of them (it may be a generator).
 *
 * @throws {UnderstudyError} if the predicate is not valid or the resolver is not a function
 * @example
 * graphql.subscription('OnMessage', async function* () {
 *   yield { data: { message: 'first' } }
 *   await delay(1000)
 *   yield { data: { message: 'second' } }
 * })
 */
export type GraphQLSubscriptionHandlerFactory = <
  Data extends GraphQLQuery = GraphQLQuery,
  Variables extends GraphQLVariables = GraphQLVariables,
>(
  predicate: GraphQLPredicate<Data, Variables>,
  resolver: GraphQLSubscriptionResolver<NoInfer<Data>, Variables>,
  options?: HandlerOptions,
) => GraphQLHandler

/**
 * Creates one handler that executes every operation against a schema, as a server would, including validation errors,
 * mutations and subscriptions. It needs the package `graphql` (16 or 17).
 *
 * @param schema type definitions as text or as a parsed document, or a schema
 * @throws {UnderstudyError} if the schema is not valid
 * @example
 * graphql.schema('type Query { user(id: ID!): User } type User { id: ID! name: String! }', {
 *   resolvers: { Query: { user: (parent, { id }) => ({ id, name: 'Ada' }) } },
 * })
 */
export type GraphQLSchemaHandlerFactory = (
  schema: GraphQLSchemaSource,
  options?: GraphQLSchemaOptions & HandlerOptions,
) => GraphQLHandler

/** Creates handlers of GraphQL operations at one endpoint or at any URL. */
export interface GraphQLLink {
  readonly query: GraphQLHandlerFactory
  readonly mutation: GraphQLHandlerFactory
  readonly subscription: GraphQLSubscriptionHandlerFactory
  readonly operation: GraphQLOperationHandlerFactory
  readonly schema: GraphQLSchemaHandlerFactory
}

function createLink(endpoint: Endpoint): GraphQLLink {
  const createFactory = (type: 'query' | 'mutation'): GraphQLHandlerFactory => {
    function factory(predicate: unknown, resolver: AnyResolver, options: HandlerOptions = {}): GraphQLHandler {
      const callSite = captureCallSite(factory)
      const matcher = readOperationPredicate(type, predicate)
      const handler = createGraphQLHandler({ type, matcher, endpoint, resolver, options, callSite })
      // Handlers of queries and mutations take WebSocket connections only if the link has a WebSocket URL.
      return endpoint.isWebSocket ? withWebSocketSide(handler, endpoint) : handler
    }
    return factory
  }
  function operation(resolver: AnyResolver, options: HandlerOptions = {}): GraphQLHandler {
    const callSite = captureCallSite(operation)
    const definition = { type: 'all', matcher: undefined, endpoint, resolver, options, callSite } as const
    return withWebSocketSide(createGraphQLHandler(definition), endpoint)
  }
  function subscription(predicate: unknown, resolver: AnyResolver, options: HandlerOptions = {}): GraphQLHandler {
    const callSite = captureCallSite(subscription)
    const matcher = readOperationPredicate('subscription', predicate)
    return createSubscriptionHandler({ matcher, endpoint, resolver, options, callSite })
  }
  function schema(source: GraphQLSchemaSource, options: GraphQLSchemaOptions & HandlerOptions = {}): GraphQLHandler {
    checkOptions('create the handler graphql.schema()', options)
    const ownEndpoint = options.url === undefined ? endpoint : createEndpoint(options.url, {})
    return createSchemaHandler(source, options, ownEndpoint, captureCallSite(schema))
  }
  return {
    query: createFactory('query'),
    mutation: createFactory('mutation'),
    subscription,
    operation,
    schema,
  }
}

/**
 * Creates handlers of GraphQL operations. These answer at any URL; those of a link answer at its endpoint.
 *
 * @example
 * const api = graphql.link('https://api.example.com/graphql')
 * const handlers = [
 *   graphql.query('GetUser', () => HttpResponse.json({ data: { user: { name: 'Ada' } } })),
 *   api.mutation('Login', () => HttpResponse.json({ errors: [{ message: 'Wrong password' }] })),
 * ]
 */
export const graphql: GraphQLLink & {
  /**
   * Creates handlers of one endpoint.
   *
   * @param url a path as in `http.get`, a WebSocket URL, or a RegExp
   * @throws {UnderstudyError} if the URL or a persisted document is not valid
   */
  link(url: Path, options?: GraphQLLinkOptions): GraphQLLink
} = {
  ...createLink(anyEndpoint),
  link: (url, options = {}) => createLink(createEndpoint(url, options)),
}

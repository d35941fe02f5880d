import { captureCallSite, type CallSiteReader } from '../core/call-site.ts'
import { failure } from '../core/failure.ts'
import { CallableHandler } from '../core/handlers/callable-handler.ts'
import { describe } from '../core/handlers/check-handlers.ts'
import {
  RequestHandler,
  type AnyResolver,
  type HandlerOptions,
  type RequestHandlerDefinition,
} from '../core/handlers/request-handler.ts'
import type { IncomingRequest } from '../core/network/incoming-request.ts'
import type { Path } from '../core/routing/path-pattern.ts'
import { createComposedResolver } from '../msw1/composed-resolver.ts'
import { graphqlContext } from '../msw1/contexts.ts'
import type { GraphQLOperationType } from './document/read-operations.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import { explainMismatch } from './explain-mismatch.ts'
import { graphqlProtocol, keyOf } from './graphql-protocol.ts'
import { readOperationPredicate, type GraphQLCustomPredicate, type OperationMatcher } from './operation-predicate.ts'
import type { GraphQLOperation } from './request/operation.ts'
import { readOperation, setNameless } from './request/read-operation.ts'
import { unwrapRequest } from './request/unwrap-request.ts'
import { transportInfo } from './subscriptions/operation-transport.ts'

/** Describes a GraphQL handler: its `info`. */
export interface GraphQLHandlerInfo extends GraphQLHandlerDetails {
  /** The name for messages: `query GetUser`. */
  readonly header: string
}

/** What `info` of a GraphQL handler has in addition to that of all handlers. */
export interface GraphQLHandlerDetails {
  /** `'all'`: any. */
  readonly operationType: GraphQLOperationType | 'all'
  /** What an operation's name must be; for a handler of any operation, a RegExp that matches all. */
  readonly operationName: string | RegExp | GraphQLCustomPredicate
  /** Where the endpoint is; `null`: at any URL. */
  readonly url: Path | null
}

/**
 * Answers GraphQL operations. `graphql.query` and its like make them; code that generates handlers may do so itself.
 *
 * @param type `'all'`: any
 * @param predicate as of `graphql.query`; it is not asked where the type is `'all'`
 * @param endpoint as of `graphql.link`; `'*'`: any URL
 * @throws if the predicate, the endpoint or the resolver is not valid
 * @example
 * new GraphQLHandler('query', 'GetUser', '*', () => HttpResponse.json({ data: { user: null } }))
 */
export class GraphQLHandler extends CallableHandler<GraphQLHandlerDetails> {
  constructor(
    type: GraphQLOperationType | 'all',
    predicate: unknown,
    endpoint: Path,
    resolver: AnyResolver,
    options: HandlerOptions = {},
  ) {
    const matcher = type === 'all' ? undefined : readOperationPredicate(type, predicate)
    const callSite = captureCallSite(GraphQLHandler as unknown as () => unknown)
    const place = createEndpoint(endpoint, {})
    const own: { handler?: GraphQLHandler } = {}
    super(
      defineGraphQLHandler({ type, matcher, endpoint: place, resolver, options, callSite }, () => {
        return own.handler as GraphQLHandler
      }),
    )
    own.handler = this
  }

  /** Handlers of subscriptions and schemas are GraphQL handlers too. A class that extends this one has only its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== GraphQLHandler) return Function.prototype[Symbol.hasInstance].call(this, value)
    return value instanceof RequestHandler && 'operationType' in value.info
  }
}

/** What distinguishes one GraphQL handler from another. */
export interface GraphQLHandlerDefinition {
  readonly type: GraphQLOperationType | 'all'
  /** `undefined`: any operation, anonymous ones too. */
  readonly matcher: OperationMatcher | undefined
  readonly endpoint: Endpoint
  readonly resolver: AnyResolver
  readonly options: HandlerOptions
  readonly callSite: CallSiteReader
}

/**
 * Makes a handler of GraphQL operations.
 *
 * @throws if the resolver is not a function
 */
export function createGraphQLHandler(definition: GraphQLHandlerDefinition): GraphQLHandler {
  const handler: GraphQLHandler = new CallableHandler<GraphQLHandlerDetails>(
    defineGraphQLHandler(definition, () => handler),
  )
  return handler
}

function defineGraphQLHandler(
  { type, matcher, endpoint, resolver, options, callSite }: GraphQLHandlerDefinition,
  handlerOf: () => GraphQLHandler,
): RequestHandlerDefinition<GraphQLHandlerDetails> {
  const header = nameHandler(type === 'all' ? 'operation' : type, matcher, endpoint)
  checkResolver(header, resolver)
  const name = matcher?.name

  return {
    header,
    details: { operationType: type, operationName: matcher?.predicate ?? /.*/, url: endpoint.path },
    callSite,
    resolver: createComposedResolver(resolver, graphqlContext, handlerOf),
    options,
    protocol: graphqlProtocol,
    key: type !== 'all' && name !== undefined ? keyOf(type, name) : undefined,
    route: (baseUrl) => endpoint.route(baseUrl),
    match(incoming) {
      const params = endpoint.match(incoming)
      if (params === null) return null
      const operation = readOperation(incoming, endpoint)
      return operation instanceof Promise
        ? operation.then((read) => matchOperation(read, params, incoming))
        : matchOperation(operation, params, incoming)
    },
    unwrap: (incoming) => (endpoint.match(incoming) ? unwrapRequest(incoming, endpoint) : null),
    explainMismatch: (incoming) => explainMismatch(type, matcher, endpoint, incoming),
  }

  function matchOperation(
    operation: GraphQLOperation | null,
    params: object,
    incoming: IncomingRequest,
  ): object | null | Promise<object | null> {
    if (operation === null) return null
    if (matcher && operation.operationName === '' && typeof matcher.predicate !== 'function') {
      setNameless(incoming, operation)
      return null
    }
    // Without its document, an operation is what the name says: the type may be any.
    const operationType = operation.operationType ?? (type === 'all' ? 'query' : type)
    if (type !== 'all' && type !== operationType) return null
    const known = { ...operation, operationType }
    const extras = { ...known, params, ...transportInfo(incoming) }
    const matches = matcher ? matcher.matches(known, incoming) : true
    return matches instanceof Promise ? matches.then((result) => (result ? extras : null)) : matches ? extras : null
  }
}

/** How a handler is named to people: `query GetUser (https://api.example.com/graphql)`. */
export function nameHandler(kind: string, matcher: OperationMatcher | undefined, { path }: Endpoint): string {
  return `${kind}${matcher ? ` ${matcher.shown}` : ''}${path === null ? '' : ` (${String(path)})`}`
}

/** @throws if the resolver is not a function */
export function checkResolver(header: string, resolver: unknown): void {
  if (typeof resolver === 'function') return
  throw failure(
    'US0502',
    `make the handler ${header}`,
    `its resolver is ${describe(resolver)}`,
    'Pass a function that returns a response: () => HttpResponse.json({ data: {} }).',
  )
}

import { captureCallSite, type CallSiteReader } from '../core/call-site.ts'
import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import { CallableHandler, createInstance } from '../core/handlers/callable-handler.ts'
import type { IncomingRequest } from '../core/handlers/incoming-request.ts'
import {
  RequestHandler,
  type AnyResolver,
  type HandlerOptions,
  type RequestHandlerDefinition,
} from '../core/handlers/request-handler.ts'
import { isPromise } from '../core/is-promise.ts'
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
import { transportInfo } from './subscriptions/operation-transport.ts'
import { isSingleOperation, unwrapRequest } from './unwrap-request.ts'

/** Describes a GraphQL handler: its `info`. */
export interface GraphQLHandlerInfo extends GraphQLHandlerDetails {
  /** The name for messages: `query GetUser`. */
  readonly header: string
}

/** The members of a GraphQL handler's `info` in addition to those of all handlers. */
export interface GraphQLHandlerDetails {
  /** `'all'`: any. */
  readonly operationType: GraphQLOperationType | 'all'
  /** The predicate for the operation's name. For a handler of any operation: a RegExp that matches all names. */
  readonly operationName: string | RegExp | GraphQLCustomPredicate
  /** The URL of the endpoint; `null`: any URL. */
  readonly url: Path | null
}

/**
 * Answers GraphQL operations. `graphql.query` and similar functions create such handlers. Code that generates handlers
 * can use the class directly.
 * The type parameter exists only for compatibility with MSW 1.
 *
 * @param type `'all'`: any type
 * @param predicate as in `graphql.query`. It is ignored if the type is `'all'`
 * @param endpoint as in `graphql.link`; `'*'`: any URL
 * @throws {UnderstudyError} if the predicate, the endpoint or the resolver is not valid
 * @example
 * new GraphQLHandler('query', 'GetUser', '*', () => HttpResponse.json({ data: { user: null } }))
 */
export class GraphQLHandler<_Request = unknown> extends CallableHandler<GraphQLHandlerDetails> {
  /** esbuild renames a class that refers to itself. Snapshots and the console show the name. */
  static override readonly name: string = 'GraphQLHandler'

  constructor(
    type: GraphQLOperationType | 'all',
    predicate: unknown,
    endpoint: Path,
    resolver: AnyResolver,
    options: HandlerOptions = {},
  ) {
    const matcher = type === 'all' ? undefined : readOperationPredicate(type, predicate)
    const callSite = captureCallSite(GraphQLHandler as unknown as () => unknown)
    const parsedEndpoint = createEndpoint(endpoint, {})
    const own: { handler?: GraphQLHandler } = {}
    super(
      defineGraphQLHandler({ type, matcher, endpoint: parsedEndpoint, resolver, options, callSite }, () => {
        return own.handler as GraphQLHandler
      }),
    )
    own.handler = this
  }

  /**
   * Handlers of subscriptions and schemas are instances, too. A class that extends this one has only its own instances.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true
    return this === GraphQLHandler && value instanceof RequestHandler && 'operationType' in value.info
  }
}

/** The parts of a GraphQL handler. */
export interface GraphQLHandlerDefinition {
  readonly type: GraphQLOperationType | 'all'
  /** `undefined`: any operation, including anonymous ones. */
  readonly matcher: OperationMatcher | undefined
  readonly endpoint: Endpoint
  readonly resolver: AnyResolver
  readonly options: HandlerOptions
  readonly callSite: CallSiteReader
}

/**
 * Creates a handler of GraphQL operations.
 *
 * @throws {UnderstudyError} if the resolver is not a function
 */
export function createGraphQLHandler(definition: GraphQLHandlerDefinition): GraphQLHandler {
  const handler: GraphQLHandler = createInstance(
    GraphQLHandler,
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
      return isPromise(operation)
        ? operation.then((read) => matchOperation(read, params, incoming))
        : matchOperation(operation, params, incoming)
    },
    unwrap: (incoming) =>
      isSingleOperation(incoming) || !endpoint.match(incoming) ? null : unwrapRequest(incoming, endpoint),
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
    // If the document is unknown, only the name is known, so any type matches.
    const operationType = operation.operationType ?? (type === 'all' ? 'query' : type)
    if (type !== 'all' && type !== operationType) return null
    const { query, operationName, variables, extensions } = operation
    const transport = transportInfo(incoming)
    const extras = { query, operationName, variables, extensions, operationType, params, ...transport }
    const matches = matcher ? matcher.matches(extras, incoming) : true
    return isPromise(matches) ? matches.then((result) => (result ? extras : null)) : matches ? extras : null
  }
}

/** Returns the name of a handler for messages: `query GetUser (https://api.example.com/graphql)`. */
export function nameHandler(kind: string, matcher: OperationMatcher | undefined, { path }: Endpoint): string {
  return `${kind}${matcher ? ` ${matcher.shown}` : ''}${path === null ? '' : ` (${String(path)})`}`
}

/** @throws {UnderstudyError} if the resolver is not a function */
export function checkResolver(header: string, resolver: unknown): void {
  if (typeof resolver === 'function') return
  throw failure(
    'US0502',
    `create the handler ${header}`,
    `its resolver is ${describe(resolver)}`,
    'Pass a function that returns a response: () => HttpResponse.json({ data: {} }).',
  )
}

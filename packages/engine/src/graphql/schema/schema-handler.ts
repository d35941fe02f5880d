import type { CallSiteReader } from '../../core/call-site.ts'
import { describe } from '../../core/describe.ts'
import { failure } from '../../core/failure.ts'
import { createInstance } from '../../core/handlers/callable-handler.ts'
import type { IncomingRequest } from '../../core/handlers/incoming-request.ts'
import type { HandlerOptions, ResolverInfo } from '../../core/handlers/request-handler.ts'
import { isPromise } from '../../core/is-promise.ts'
import type { PathParams } from '../../core/routing/path-params.ts'
import type { Path } from '../../core/routing/path-pattern.ts'
import { isGraphQLDocument } from '../document/graphql-document.ts'
import type { Endpoint } from '../endpoint.ts'
import { GraphQLHandler, nameHandler } from '../graphql-handler.ts'
import { graphqlProtocol } from '../graphql-protocol.ts'
import { BrokenRequest } from '../request/broken-request.ts'
import { readGraphQLRequest, type GraphQLReading, type RequestedOperation } from '../request/graphql-request.ts'
import { transportInfo } from '../subscriptions/operation-transport.ts'
import { withWebSocketSide } from '../subscriptions/web-socket-side.ts'
import { unwrapRequest } from '../unwrap-request.ts'
import { answerExecution, answerNoOperation, answerRefusal } from './answer-execution.ts'
import { executeOperation } from './execute-operation.ts'
import { loadSchema, type LoadedSchema } from './load-schema.ts'
import type { GraphQLResolvers } from './schema-resolvers.ts'
import { isSchemaObject, type GraphQLSchemaSource } from './schema-source.ts'

/** The argument of the function that creates a context. */
export interface GraphQLContextInfo extends ResolverInfo {
  readonly query: string
  readonly operationName: string
  readonly variables: Record<string, unknown>
  readonly extensions: Record<string, unknown>
  readonly params: PathParams
}

/** Options of `graphql.schema`. */
export interface GraphQLSchemaOptions {
  /** The object from which the fields of the root types are read: values, or methods that get the arguments. */
  rootValue?: unknown
  /** Functions that answer fields, by type and field. They replace the resolvers of the schema. */
  resolvers?: GraphQLResolvers
  /** The context of every resolver, or a function that creates it for each operation. */
  context?: object | ((info: GraphQLContextInfo) => unknown)
  /** The URL of the endpoint. Default: the link's, or any URL. */
  url?: Path
}

/** The data of a request that the handler uses. */
interface Found {
  readonly requested: RequestedOperation | BrokenRequest
  readonly params: PathParams
}

/**
 * Creates a handler that executes operations against a schema.
 *
 * @throws {UnderstudyError} if the schema is not valid
 */
export function createSchemaHandler(
  source: GraphQLSchemaSource,
  options: GraphQLSchemaOptions & HandlerOptions,
  endpoint: Endpoint,
  callSite: CallSiteReader,
): GraphQLHandler {
  checkSource(source)
  let loading: Promise<LoadedSchema> | undefined
  /** The documents that clients have sent together with their hashes (automatic persisted queries), by hash. */
  const registered = new Map<string, string>()

  const handler = createInstance(GraphQLHandler, {
    header: nameHandler('schema', undefined, endpoint),
    details: { operationType: 'all', operationName: /.*/, url: endpoint.path },
    callSite,
    resolver: resolve,
    options,
    protocol: graphqlProtocol,
    route: (baseUrl) => endpoint.route(baseUrl),
    match(incoming) {
      const params = endpoint.match(incoming)
      if (params === null) return null
      const reading = readGraphQLRequest(incoming)
      return isPromise(reading)
        ? reading.then((result) => find(result, params, incoming))
        : find(reading, params, incoming)
    },
    unwrap: (incoming) => (endpoint.match(incoming) ? unwrapRequest(incoming, endpoint) : null),
  })

  function find(reading: GraphQLReading, params: PathParams, incoming: IncomingRequest): Found | null {
    if (reading === null) {
      return endpoint.isEndpoint && isMeantForEndpoint(incoming) ? { requested: noQuery, params } : null
    }
    if (reading instanceof BrokenRequest) {
      return reading.isCertain || endpoint.isEndpoint ? { requested: reading, params } : null
    }
    const [requested] = reading.operations
    if (!requested || reading.isBatch) return null
    // Without a known endpoint, a request without a document may not be GraphQL.
    const isKnown = requested.query !== undefined || endpoint.isEndpoint || 'persistedQuery' in requested.extensions
    return isKnown ? { requested, params, ...transportInfo(incoming) } : null
  }

  async function resolve(info: ResolverInfo & Found): Promise<Response> {
    const { requested, params, ...rest } = info
    const { request } = rest
    if (requested instanceof BrokenRequest) {
      const answer = requested === noQuery ? answerNoOperation : answerRefusal
      return answer(request, `Cannot read the request: ${requested.message}.`)
    }
    const query = await findDocument(requested)
    if (query === undefined) {
      return answerRefusal(request, 'PersistedQueryNotFound', { code: 'PERSISTED_QUERY_NOT_FOUND' })
    }
    const loaded = await (loading ??= loadSchema(source, options.resolvers))
    const { operationName, variables, extensions } = requested
    const { context, rootValue } = options
    const execution = await executeOperation(loaded, {
      query,
      operationName,
      variables,
      rootValue,
      createContext: () =>
        typeof context === 'function'
          ? (context as (given: GraphQLContextInfo) => unknown)({
              ...rest,
              query,
              operationName: operationName ?? '',
              variables,
              extensions,
              params,
            })
          : context,
      mayMutate: request.method !== 'GET',
    })
    return answerExecution(execution, request, handler.info.header)
  }

  /** Returns the document of an operation. Stores a document that is sent with its hash, as servers do. */
  async function findDocument({ query, hashes }: RequestedOperation): Promise<string | undefined> {
    const [hash] = hashes
    if (query !== undefined) {
      if (hash !== undefined) registered.set(hash, query)
      return query
    }
    const persisted = endpoint.findPersisted?.(hashes)
    return persisted ? persisted.text() : hash === undefined ? undefined : registered.get(hash)
  }

  return withWebSocketSide(handler, endpoint)
}

const noQuery = new BrokenRequest('it has no "query", and names no persisted document')

/**
 * Returns whether a request without an operation is meant for the GraphQL endpoint. A GET for a page is meant for an
 * explorer, and a request that upgrades its connection opens a WebSocket.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Request
 */
function isMeantForEndpoint({ method, request: { headers } }: IncomingRequest): boolean {
  if (method === 'POST') return true
  return method === 'GET' && !/text\/(?:html|event-stream)/.test(headers.get('accept') ?? '') && !headers.has('upgrade')
}

function checkSource(source: unknown): void {
  const isText = typeof source === 'string' && source.trim() !== ''
  if (isText || isGraphQLDocument(source) || isSchemaObject(source)) return
  throw failure(
    'US0512',
    'create the handler graphql.schema()',
    `its first argument is ${describe(source)}`,
    "Pass the text of type definitions ('type Query { … }'), a document of them, or a schema.",
  )
}

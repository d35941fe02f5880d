import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import { checkOptions } from '../core/handlers/check-handlers.ts'
import type { IncomingRequest } from '../core/handlers/incoming-request.ts'
import { matchPath } from '../core/routing/match-path.ts'
import { pageUrl } from '../core/routing/page-url.ts'
import { createPatternReader, type MatchedParams, type Path } from '../core/routing/path-pattern.ts'
import { anyRoute, type Route } from '../core/routing/route.ts'
import {
  readPersistedDocuments,
  type PersistedDocumentFinder,
  type PersistedDocuments,
} from './request/persisted-documents.ts'
import { documentParameters } from './request/read-parameters.ts'

/** Options of `graphql.link`. */
export interface GraphQLLinkOptions {
  /** The documents for which clients send a hash. Default: none. */
  persisted?: PersistedDocuments
}

/** The URL of operations: one URL, or any. */
export interface Endpoint {
  /** The original argument; `null`: any URL. */
  readonly path: Path | null
  /** Whether every request to the URL is GraphQL. */
  readonly isEndpoint: boolean
  /** Whether the given URL is a WebSocket URL. */
  readonly isWebSocket: boolean
  readonly findPersisted: PersistedDocumentFinder | undefined
  route(baseUrl: string | undefined): Route
  match(place: Pick<IncomingRequest, 'url' | 'baseUrl'>): MatchedParams | null
}

const noParams: MatchedParams = Object.freeze(Object.create(null) as MatchedParams)

/** Operations at any URL. */
export const anyEndpoint: Endpoint = {
  path: null,
  isEndpoint: false,
  isWebSocket: false,
  findPersisted: undefined,
  route: () => ({ ...anyRoute, methods: ['GET', 'POST'], search: documentParameters }),
  match: () => noParams,
}

/**
 * Creates an endpoint for operations at the URLs that a path matches, also over WebSocket.
 *
 * @throws {UnderstudyError} if the path or the map of persisted documents is not valid
 */
export function createEndpoint(path: Path, options: GraphQLLinkOptions): Endpoint {
  if (typeof path !== 'string' && !(path instanceof RegExp)) {
    throw failure(
      'US0501',
      'link a GraphQL endpoint',
      `its first argument is ${describe(path)}`,
      'Pass a path or a URL ("https://api.example.com/graphql"), or a RegExp.',
    )
  }
  checkOptions('link a GraphQL endpoint', options)
  const { persisted } = options
  // An operation over a WebSocket is handled as a request to the corresponding http(s) URL.
  const httpPath = typeof path === 'string' ? path.replace(/^ws(?=s?:)/i, 'http') : path
  const patternFor = createPatternReader(httpPath, pageUrl())
  return {
    path,
    isEndpoint: path !== '*',
    isWebSocket: /^(?:\^)?wss?\b/i.test(typeof path === 'string' ? path : path.source),
    findPersisted: persisted && readPersistedDocuments(persisted),
    route: (baseUrl) => patternFor(baseUrl).route,
    match({ url, baseUrl }) {
      const pattern = patternFor(baseUrl)
      const params = matchPath(pattern, url)
      // The RegExp may be meant for the WebSocket URL.
      return params === null && typeof path !== 'string' ? matchPath(pattern, toWebSocketUrl(url)) : params
    },
  }
}

function toWebSocketUrl({ href }: URL): URL {
  return new URL(href.replace(/^http/, 'ws'))
}

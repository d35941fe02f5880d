import { captureCallSite, type CallSiteReader } from '../core/call-site.ts'
import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import { CallableHandler } from '../core/handlers/callable-handler.ts'
import { checkOptions } from '../core/handlers/check-handlers.ts'
import type { IncomingRequest } from '../core/handlers/incoming-request.ts'
import {
  RequestHandler,
  type AnyResolver,
  type HandlerOptions,
  type RequestHandlerDefinition,
} from '../core/handlers/request-handler.ts'
import { pageUrl } from '../core/routing/page-url.ts'
import type { PathParams } from '../core/routing/path-params.ts'
import { createPatternReader, type Path } from '../core/routing/path-pattern.ts'
import { anyRoute } from '../core/routing/route.ts'
import { parseQueryPattern, type QueryPattern } from './query-pattern.ts'

/** The result of a custom predicate: whether the request matches, and optionally parameters. */
export type HttpPredicateResult<Params> = boolean | { matches: boolean; params?: Params }

/** A function that decides whether a handler matches a request. */
export type HttpPredicate<Params> = (args: {
  request: Request
  cookies: Record<string, string>
}) => HttpPredicateResult<Params> | Promise<HttpPredicateResult<Params>>

/** A predicate as the engine calls it. The engine checks the type of its result. */
export type AnyHttpPredicate = (args: { request: Request; cookies: Record<string, string> }) => unknown

/** Options of an HTTP handler. */
export interface HttpHandlerOptions<Query extends QueryPattern = QueryPattern> extends HandlerOptions {
  /**
   * What the query must contain, by key, in any order. Other keys are allowed. Its parameters are added to those of the
   * path.
   *
   * @example
   * // answers /search?q=cats&page=2, and not /search?q=cats
   * http.get('/search', ({ params }) => HttpResponse.json([params.term]), { query: { q: ':term', page: 2 } })
   */
  query?: Query
}

/** Describes an HTTP handler: its `info`. */
export interface HttpHandlerInfo extends HttpHandlerDetails {
  /** The name for messages: `GET /user/:id`. */
  readonly header: string
}

/** The members of an HTTP handler's `info` in addition to those of all handlers. */
export interface HttpHandlerDetails {
  /** Upper case; `null`: any. */
  readonly method: string | null
  readonly path: Path | AnyHttpPredicate
  /** The query pattern, if the handler has one. */
  readonly query: QueryPattern | undefined
}

/**
 * Answers HTTP requests. `http.get` and similar functions create such handlers. Code that generates handlers can use
 * the class directly.
 *
 * @param method in upper or lower case; a RegExp for several; `null`: any
 * @throws {UnderstudyError} if the predicate, the path or the resolver is not valid
 * @example
 * const handlers = routes.map(({ method, path, body }) => new HttpHandler(method, path, () => HttpResponse.json(body)))
 */
export class HttpHandler extends CallableHandler<HttpHandlerDetails> {
  /** esbuild renames a class that refers to itself. Snapshots and the console show the name. */
  static override readonly name: string = 'HttpHandler'

  constructor(
    method: string | RegExp | null,
    predicate: Path | AnyHttpPredicate,
    resolver: AnyResolver,
    options: HttpHandlerOptions = {},
    callSite: CallSiteReader = captureCallSite(HttpHandler as unknown as () => unknown),
  ) {
    super(defineHttpHandler(method, predicate, resolver, options, callSite))
  }

  /** Handlers of event streams are instances, too. A class that extends this one has only its own instances. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true
    return this === HttpHandler && value instanceof RequestHandler && 'method' in value.info && 'path' in value.info
  }
}

/** Creates the definition of an HTTP handler. */
function defineHttpHandler(
  methods: string | RegExp | null,
  predicate: Path | AnyHttpPredicate,
  resolver: AnyResolver,
  options: HttpHandlerOptions,
  callSite: CallSiteReader,
): RequestHandlerDefinition<HttpHandlerDetails> {
  const method = typeof methods === 'string' ? methods.toUpperCase() : null
  const header = `${method ?? 'ALL'} ${namePredicate(predicate)}`
  checkArguments(header, predicate, resolver)
  checkOptions(`create the handler ${header}`, options)
  const patternFor = typeof predicate === 'function' ? undefined : createPatternReader(predicate, pageUrl())
  const query = options.query === undefined ? undefined : parseQueryPattern(options.query, header, predicate)

  return {
    header: header + (query?.text ?? ''),
    details: { method, path: predicate, query: options.query },
    callSite,
    resolver,
    options,
    route(baseUrl) {
      const route = patternFor?.(baseUrl).route ?? anyRoute
      return { ...route, exact: route.exact && !query, methods: method === null ? null : [method] }
    },
    pattern: (baseUrl) => patternFor?.(baseUrl),
    match(incoming) {
      if (method !== null && method !== incoming.method) return null
      // `search` starts at index 0 each time, with any flags.
      if (methods instanceof RegExp && incoming.method.search(methods) === -1) return null
      const found = query ? query.match(incoming.url.searchParams) : {}
      if (!found) return null
      const toExtras = (params: PathParams | null): { params: PathParams } | null =>
        params && { params: query ? Object.assign(Object.create(null) as PathParams, params, found) : params }
      // Await only promises: `await` would cost time for every request.
      return patternFor
        ? toExtras(incoming.matchPath(patternFor(incoming.baseUrl)))
        : askPredicate(predicate as AnyHttpPredicate, incoming).then(toExtras)
    },
    explainMismatch: (incoming, explain) =>
      patternFor && explain(method, patternFor(incoming.baseUrl), query, incoming),
  }
}

async function askPredicate(predicate: AnyHttpPredicate, incoming: IncomingRequest): Promise<PathParams | null> {
  const result = await predicate({ request: incoming.copyWithCookies(), cookies: incoming.cookies })
  if (typeof result !== 'object' || result === null) return result ? {} : null
  const { matches, params = {} } = result as { matches?: boolean; params?: PathParams }
  return matches ? params : null
}

function namePredicate(predicate: unknown): string {
  if (typeof predicate === 'function') return '(predicate)'
  try {
    return String(predicate)
  } catch {
    // An object without a prototype cannot be converted to text.
    return describe(predicate)
  }
}

function checkArguments(header: string, predicate: unknown, resolver: unknown): void {
  const operation = `create the handler ${header}`
  if (typeof predicate !== 'string' && typeof predicate !== 'function' && !(predicate instanceof RegExp)) {
    throw failure(
      'US0107',
      operation,
      `its first argument is ${describe(predicate)}`,
      'Pass a path ("/user/:id"), a RegExp or a function that decides about a request.',
    )
  }
  if (typeof resolver !== 'function') {
    throw failure(
      'US0108',
      operation,
      `its second argument is ${describe(resolver)}`,
      'Pass a function that returns a response: () => HttpResponse.json({}).',
    )
  }
}

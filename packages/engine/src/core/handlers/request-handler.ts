import type { CallSite, CallSiteReader } from '../call-site.ts'
import type { IncomingRequest } from '../network/incoming-request.ts'
import type { Declared, DefaultBodyType, HttpResponse, PlainResponse } from '../responses/http-response.ts'
import type { Route } from '../routing/route.ts'
import { stateOf, type HandlerState } from './handler-state.ts'
import type { ExplainMiss, Miss } from './miss.ts'
import type { Envelope, Protocol } from './protocol.ts'

/** Anything that a list of handlers may hold. Each protocol adds its kind. */
export interface Handler {
  /**
   * Marks handlers as such. A name rather than a class, because a page may hold the engine twice
   * (two bundles, module federation) and a handler of one must be good for the other.
   */
  readonly '~handler': true
  /** What it answers: `'request'`, and other kinds as protocols are added. */
  readonly kind: string
  readonly info: HandlerInfo
  /** Whether it has answered, and, where it answers once, will not again. */
  isUsed: boolean
}

/** Describes a handler: the `info` of each handler. */
export interface HandlerInfo {
  /** How the handler is named to people: `GET /user/:id`. */
  readonly header: string
  /** Where it was written, where the runtime tells. */
  readonly callSite: CallSite | undefined
}

/** The last argument of each function that creates a request handler. */
export interface HandlerOptions {
  /** Answer the first matching request only. Default: `false`. */
  once?: boolean
}

/** A request whose body is known to be of a type. */
export interface StrictRequest<Body> extends Request {
  json(): Promise<Body>
  clone(): StrictRequest<Body>
}

/** What every resolver is told of the request. */
export interface ResolverInfo<RequestBody = DefaultBodyType> {
  request: StrictRequest<RequestBody>
  /** Identifies the request in life-cycle events. */
  requestId: string
  /** The request's URL, parsed. */
  url: URL
  /** The cookies that the request carries. */
  cookies: Record<string, string>
  /**
   * Runs a function once the request is over: its response was sent to the end, the request was aborted, or the
   * resolver threw. The last function given runs first.
   */
  finalize(cleanup: () => unknown): void
}

/** `undefined` stands for "not declared". Generic code knows the rest of the result before this is decided. */
// oxlint-disable-next-line typescript/no-explicit-any -- `any` stays `any`; to name Body here would infer it from what is returned
type DeclaredBody<Body> = 0 extends 1 & Body ? any : [Body] extends [undefined] ? DefaultBodyType : Declared<Body>
type UndeclaredResponse<Body> = 0 extends 1 & Body ? never : [Body] extends [undefined] ? Response : never

/**
 * What a resolver may answer with; nothing lets the next matching handler answer.
 * Where the body's type is given, a response that is known to carry another is a type error.
 */
export type ResponseResolverReturnType<ResponseBody = undefined> =
  | HttpResponse<DeclaredBody<ResponseBody>>
  | PlainResponse
  | UndeclaredResponse<ResponseBody>
  | undefined
  | void

type MaybePromise<Value> = Value | Promise<Value>

type Steps<Step> = Iterator<MaybePromise<Step>, MaybePromise<Step>, unknown> | AsyncIterator<Step, Step, unknown>

/** What a resolver may return: a response, a promise of one, or a generator of responses. */
export type AsyncResponseResolverReturnType<ResponseBody = undefined> = MaybePromise<
  ResponseResolverReturnType<ResponseBody> | Steps<ResponseResolverReturnType<ResponseBody>>
>

/** A function, asynchronous function or generator that answers a request. */
export type ResponseResolver<Extras, RequestBody, ResponseBody> = (
  info: ResolverInfo<RequestBody> & Extras,
) => AsyncResponseResolverReturnType<ResponseBody>

/** A resolver as the engine calls it; a protocol's factory checks the types before. */
export type AnyResolver = (...args: never[]) => unknown

/** What a protocol says of the handlers that it makes. */
export interface RequestHandlerDefinition<Info extends object = object> {
  /** How the handler is named to people. */
  header: string
  /** The protocol's own facts, added to `info`. */
  details: Info
  callSite: CallSiteReader
  resolver: AnyResolver
  options: HandlerOptions
  /** What the handler shares with others of its kind. Default: none, it is plain HTTP. */
  protocol?: Protocol
  /** The one key of its protocol that it answers; see {@link Protocol.keysOf}. Default: it is asked about any. */
  key?: string | undefined
  /** Which requests it could match. Called once for each base URL. */
  route(baseUrl: string | undefined): Route
  /**
   * Whether it matches whatever the path is, or the path `base` itself. Default: a function decides about each request, and
   * nothing is known.
   */
  matchesEveryPath?(baseUrl: string | undefined, base: string): boolean
  /** What the resolver is told besides {@link ResolverInfo}, or `null` where the request does not match. */
  match(incoming: IncomingRequest): object | null | Promise<object | null>
  /** What a request wraps, where it is for this handler's endpoint; `null`: nothing, as almost always. */
  unwrap?(incoming: IncomingRequest): Envelope | null | Promise<Envelope | null>
  /**
   * Why a request that no handler matched is not for this one; nothing where it is far from it.
   *
   * @param explain compares method, path and query: handed in, so that pages load it with what decides about requests
   */
  explainMiss?(incoming: IncomingRequest, explain: ExplainMiss): Miss | 'matches' | undefined
}

/** Answers requests. Made by `http.get` and its like. */
export class RequestHandler<Info extends object = object> implements Handler {
  readonly '~handler' = true as const
  readonly kind = 'request' as const
  readonly info: HandlerInfo & Info
  readonly resolver: AnyResolver
  readonly protocol: Protocol | undefined
  readonly key: string | undefined
  readonly #definition: RequestHandlerDefinition<Info>
  readonly #state: HandlerState

  constructor(definition: RequestHandlerDefinition<Info>) {
    const { header, callSite, details, options, resolver } = definition
    this.#definition = definition
    this.resolver = resolver
    this.protocol = definition.protocol
    this.key = definition.key
    this.#state = { once: options.once ?? false, isUsed: false, isOnceByAnswer: false }
    this.info = {
      header,
      get callSite(): CallSite | undefined {
        return callSite()
      },
      ...details,
    }
  }

  /** What changes of it as it answers: inside of a boundary, apart from what it is outside. */
  get '~state'(): HandlerState {
    return stateOf(this, this.#state)
  }

  /** Whether it answers one request only. An answer can say so too: `res.once()`. */
  get once(): boolean {
    return this['~state'].once
  }

  set once(once: boolean) {
    this['~state'].once = once
  }

  get isUsed(): boolean {
    return this['~state'].isUsed
  }

  set isUsed(isUsed: boolean) {
    this['~state'].isUsed = isUsed
  }

  route(baseUrl: string | undefined): Route {
    return this.#definition.route(baseUrl)
  }

  matchesEveryPath(baseUrl: string | undefined, base: string): boolean {
    return this.#definition.matchesEveryPath?.(baseUrl, base) ?? false
  }

  match(incoming: IncomingRequest): object | null | Promise<object | null> {
    return this.#definition.match(incoming)
  }

  unwrap(incoming: IncomingRequest): Envelope | null | Promise<Envelope | null> {
    return this.#definition.unwrap?.(incoming) ?? null
  }

  explainMiss(incoming: IncomingRequest, explain: ExplainMiss): Miss | 'matches' | undefined {
    return this.#definition.explainMiss?.(incoming, explain)
  }
}

/** Returns whether a handler answers requests. WebSocket handlers do not. */
export function isRequestHandler(handler: Handler): handler is RequestHandler {
  return handler.kind === 'request'
}

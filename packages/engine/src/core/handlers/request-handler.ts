import type { CallSite, CallSiteReader } from '../call-site.ts'
import type { IncomingRequest } from '../network/incoming-request.ts'
import type { Declared, DefaultBodyType, HttpResponse, PlainResponse } from '../responses/http-response.ts'
import type { Route } from '../routing/route.ts'
import { stateOf, type HandlerState } from './handler-state.ts'
import type { ExplainMismatch, Mismatch } from './mismatch.ts'
import type { Envelope, Protocol } from './protocol.ts'

/** An item of a list of handlers. Each protocol adds its kind. */
export interface Handler {
  /**
   * Identifies handlers by a name instead of a class, because a page may load the engine twice (two bundles, module
   * federation), and each copy must accept the handlers of the other.
   */
  readonly '~handler': true
  /** What the handler answers: `'request'`, or the kind of a protocol. */
  readonly kind: string
  readonly info: HandlerInfo
  /** Whether the handler has answered. A `once` handler then does not answer again. */
  isUsed: boolean
}

/** Describes a handler: the `info` of each handler. */
export interface HandlerInfo {
  /** The name for messages: `GET /user/:id`. */
  readonly header: string
  /** Where the handler was created, if the runtime provides this. */
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

/** The arguments that every resolver gets. */
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
 * The result of a resolver. Without a result, the next matching handler answers.
 * If the type of the body is given, a response with another known type is a type error.
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

/** A resolver as the engine calls it. The factory of the protocol has checked the types. */
export type AnyResolver = (...args: never[]) => unknown

/** The definition that a protocol gives for each of its handlers. */
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
  /** Returns the resolver's arguments in addition to {@link ResolverInfo}, or `null` if the request does not match. */
  match(incoming: IncomingRequest): object | null | Promise<object | null>
  /** What a request wraps, where it is for this handler's endpoint; `null`: nothing, as almost always. */
  unwrap?(incoming: IncomingRequest): Envelope | null | Promise<Envelope | null>
  /**
   * Explains why the handler does not match an unhandled request; nothing if the two have too little in common.
   *
   * @param explain compares method, path and query: handed in, so that pages load it with what decides about requests
   */
  explainMismatch?(incoming: IncomingRequest, explain: ExplainMismatch): Mismatch | 'matches' | undefined
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

  explainMismatch(incoming: IncomingRequest, explain: ExplainMismatch): Mismatch | 'matches' | undefined {
    return this.#definition.explainMismatch?.(incoming, explain)
  }
}

/** Returns whether a handler answers requests. WebSocket handlers do not. */
export function isRequestHandler(handler: Handler): handler is RequestHandler {
  return handler.kind === 'request'
}

import type { CallSite, CallSiteReader } from '../call-site.ts'
import type { Declared, DefaultBodyType, HttpResponse, PlainResponse } from '../responses/http-response.ts'
import type { PathPattern } from '../routing/path-pattern.ts'
import type { Route } from '../routing/route.ts'
import { stateOf, type HandlerState } from './handler-state.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { ExplainMismatch, Mismatch } from './mismatch.ts'
import type { Envelope, Protocol } from './protocol.ts'

/** An item of a list of handlers. */
export interface Handler {
  /**
   * Identifies handlers by a name instead of a class, because a page may load the engine twice (two bundles, module
   * federation), and each copy must accept the handlers of the other.
   */
  readonly '~handler': true
  /** The kind of the handler: `'request'`, or the kind of a protocol. */
  readonly kind: string
  readonly info: HandlerInfo
  /** Whether the handler has answered. A `once` handler then does not answer again. */
  isUsed: boolean
}

/** The description of a handler, which is its `info`. */
export interface HandlerInfo {
  /** The name for messages: `GET /user/:id`. */
  readonly header: string
  /** Where the handler was created, if the runtime provides this. */
  readonly callSite: CallSite | undefined
}

/** The last argument of each function that creates a request handler. */
export interface HandlerOptions {
  /** Whether to answer only the first matching request. Default: `false`. */
  once?: boolean
}

/** A request whose body has a known type. */
export interface StrictRequest<Body> extends Request {
  json(): Promise<Body>
  clone(): StrictRequest<Body>
}

/** The arguments that every resolver gets. */
export interface ResolverInfo<RequestBody = DefaultBodyType> {
  request: StrictRequest<RequestBody>
  /** Identifies the request in life-cycle events. */
  requestId: string
  /** The parsed URL of the request. */
  url: URL
  /** The cookies of the request, by name. */
  cookies: Record<string, string>
  /**
   * Runs a function when the request is over: its response was sent to the end, the request was aborted, or the
   * resolver threw. The function that was added last runs first.
   */
  finalize(cleanup: () => unknown): void
}

/** `undefined` means "not declared". Generic code knows the rest of the result before the type of the body. */
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

/** The values that a resolver may return: a response, a promise of one, or a generator of responses. */
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
  /** The name of the handler in messages. */
  header: string
  /** The members that the protocol adds to `info`. */
  details: Info
  callSite: CallSiteReader
  resolver: AnyResolver
  options: HandlerOptions
  /** The protocol that the handler shares with others. Default: plain HTTP. */
  protocol?: Protocol
  /** The only key that it answers; see {@link Protocol.keysOf}. Default: it is asked about every key. */
  key?: string | undefined
  /** Returns the route: the requests that it could match. Called once for each base URL. */
  route(baseUrl: string | undefined): Route
  /** Returns the pattern of its path. Missing, or `undefined`, if a function decides about each request. */
  pattern?(baseUrl: string | undefined): PathPattern | undefined
  /** Returns the resolver's arguments in addition to {@link ResolverInfo}, or `null` if the request does not match. */
  match(incoming: IncomingRequest): object | null | Promise<object | null>
  /**
   * Returns the requests that a request to this handler's endpoint contains; `null` if it contains none, which is the
   * usual case.
   */
  unwrap?(incoming: IncomingRequest): Envelope | null | Promise<Envelope | null>
  /**
   * Explains why the handler does not match an unhandled request. Returns `undefined` if the two have too little in
   * common.
   *
   * @param explain compares method, path and query. It is a parameter so that pages load it with the code that decides
   * about requests, and not with the handlers
   */
  explainMismatch?(incoming: IncomingRequest, explain: ExplainMismatch): Mismatch | 'matches' | undefined
}

/** Answers requests. `http.get` and similar functions create such handlers. */
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

  /**
   * The state of the handler in the current async context. Inside a boundary, it is separate from the state outside.
   */
  get '~state'(): HandlerState {
    return stateOf(this, this.#state)
  }

  /** Whether it answers only one request. A response can set this too: `res.once()`. */
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

  pattern(baseUrl: string | undefined): PathPattern | undefined {
    return this.#definition.pattern?.(baseUrl)
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

import { captureCallSite } from '../call-site.ts'
import { failure } from '../failure.ts'
import { anyRoute } from '../routing/route.ts'
import { CallableHandler } from './callable-handler.ts'
import { describe } from './check-handlers.ts'
import { RequestHandler as PlainHandler, type HandlerOptions, type ResponseResolver } from './request-handler.ts'

type MaybePromise<Value> = Value | Promise<Value>

/** What a class of your own hands to `super()`. */
export interface CustomHandlerArguments<Info extends { header: string }, Extras extends object> {
  /** `header` is how the handler is named to people; the rest is yours. */
  info: Info
  resolver: ResponseResolver<Extras, never, undefined>
  options?: HandlerOptions | undefined
}

/** The argument of the methods of a custom handler class. */
export interface CustomHandlerRequest {
  /** A copy of it: its body may be read. */
  request: Request
  resolutionContext: { baseUrl?: string | undefined }
}

/**
 * Base class for request handlers that no predicate can express, for example for a custom protocol. Same contract as
 * `RequestHandler` of MSW 2 and 3.
 *
 * @throws {UnderstudyError} if the resolver is not a function
 * @example
 * class RpcHandler extends RequestHandler<{ header: string; method: string }, { method?: string }> {
 *   constructor(method: string, resolver: () => Response) {
 *     super({ info: { header: `RPC ${method}`, method }, resolver })
 *   }
 *   override async parse({ request }: { request: Request }) {
 *     return (await request.json().catch(() => ({}))) as { method?: string }
 *   }
 *   override predicate({ parsedResult }: { parsedResult: { method?: string } }) {
 *     return parsedResult.method === this.info.method
 *   }
 * }
 */
abstract class CustomHandler<
  Info extends { header: string } = { header: string },
  Parsed = unknown,
  Extras extends object = object,
> extends CallableHandler<Info> {
  constructor({ info, resolver, options = {} }: CustomHandlerArguments<Info, Extras>) {
    if (typeof resolver !== 'function') {
      throw failure(
        'US0103',
        `make the handler ${info.header}`,
        `its resolver is ${describe(resolver)}`,
        'Pass super() a function that returns a response.',
      )
    }
    super({
      header: info.header,
      details: info,
      callSite: captureCallSite(new.target as unknown as () => unknown),
      resolver,
      options,
      route: () => anyRoute,
      match: () => ({}),
    })
  }

  /** Every request handler is an instance of this class; a subclass matches only its own instances. */
  static override [Symbol.hasInstance](value: unknown): value is PlainHandler {
    return this === (CustomHandler as unknown)
      ? value instanceof PlainHandler
      : Function.prototype[Symbol.hasInstance].call(this, value)
  }

  /** Parses the request for {@link predicate} and {@link extendResolverArgs}, once for each request. Default: nothing. */
  override parse(_args: CustomHandlerRequest): MaybePromise<Parsed> {
    return undefined as Parsed
  }

  /** Whether the handler answers a request. */
  abstract override predicate(args: CustomHandlerRequest & { parsedResult: Parsed }): MaybePromise<boolean>

  /** Returns additional arguments for the resolver. Default: none. */
  protected override extendResolverArgs(_args: { request: Request; parsedResult: Parsed }): Extras {
    return {} as Extras
  }
}

/** A handler of requests, however it was made. */
export type RequestHandler<Info extends object = object> = PlainHandler<Info>

/** What classes of your own extend, and of what all handlers of requests are instances. See {@link CustomHandler}. */
export const RequestHandler: typeof CustomHandler = CustomHandler

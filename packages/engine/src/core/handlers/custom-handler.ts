import { captureCallSite } from '../call-site.ts'
import { describe } from '../describe.ts'
import { failure } from '../failure.ts'
import { anyRoute } from '../routing/route.ts'
import { CallableHandler } from './callable-handler.ts'
import { RequestHandler as PlainHandler, type HandlerOptions, type ResponseResolver } from './request-handler.ts'

type MaybePromise<Value> = Value | Promise<Value>

/** The argument of `super()` in your own handler class. */
export interface CustomHandlerArguments<
  Info extends { header: string },
  Extras extends object,
  Options extends HandlerOptions = HandlerOptions,
> {
  /** `header` is the name of the handler in messages. You can add other members. */
  info: Info
  resolver: ResponseResolver<Extras, never, undefined>
  options?: Options | undefined
}

/** The argument of the methods of a custom handler class. */
export interface CustomHandlerRequest {
  /** A copy of the request. Its body may be read. */
  request: Request
  resolutionContext: { baseUrl?: string | undefined }
}

/**
 * Base class for request handlers that no predicate can express, for example for a custom protocol. It has the same
 * contract as `RequestHandler` of MSW 2 and 3.
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
  Options extends HandlerOptions = HandlerOptions,
> extends CallableHandler<Info> {
  /** The name under which the class is exported. */
  static override readonly name: string = 'RequestHandler'

  constructor({ info, resolver, options }: CustomHandlerArguments<Info, Extras, Options>) {
    if (typeof resolver !== 'function') {
      throw failure(
        'US0103',
        `create the handler ${info.header}`,
        `its resolver is ${describe(resolver)}`,
        'Pass super() a function that returns a response.',
      )
    }
    super({
      header: info.header,
      details: info,
      callSite: captureCallSite(new.target as unknown as () => unknown),
      resolver,
      options: options ?? {},
      route: () => anyRoute,
      match: () => ({}),
    })
  }

  /** Every request handler is an instance of this class; a subclass matches only its own instances. */
  static override [Symbol.hasInstance](value: unknown): value is CallableHandler {
    return this === (CustomHandler as unknown)
      ? value instanceof PlainHandler
      : Function.prototype[Symbol.hasInstance].call(this, value)
  }

  /** Parses the request for {@link predicate} and {@link extendResolverArgs}, once for each request. Default: nothing. */
  override parse(_args: CustomHandlerRequest): MaybePromise<Parsed> {
    return undefined as Parsed
  }

  /** Returns whether the handler answers a request. */
  abstract override predicate(args: CustomHandlerRequest & { parsedResult: Parsed }): MaybePromise<boolean>

  /** Returns additional arguments for the resolver. Default: none. */
  protected override extendResolverArgs(_args: { request: Request; parsedResult: Parsed }): Extras {
    return {} as Extras
  }
}

/**
 * Any request handler. The type parameters after the first exist only for compatibility with MSW, whose projects write
 * `RequestHandler<any, any, any, any>`.
 */
export type RequestHandler<
  Info extends object = object,
  _Parsed = unknown,
  _Extras = unknown,
  _Options = unknown,
> = CallableHandler<Info>

/** The base class of your own handler classes. All request handlers are instances of it. See {@link CustomHandler}. */
export const RequestHandler: typeof CustomHandler = CustomHandler

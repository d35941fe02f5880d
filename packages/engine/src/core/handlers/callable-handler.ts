import type { IncomingRequest } from './incoming-request.ts'
import { RequestHandler, type HandlerInfo, type RequestHandlerDefinition } from './request-handler.ts'
import type { HandlerCall, HandlerExecution, HandlerRun } from './run-handler.ts'

type MaybePromise<Value> = Value | Promise<Value>

/**
 * A handler with methods that code can call, as packages around MSW do. The methods load the code that runs resolvers on
 * their first call.
 *
 * @see MSW's `RequestHandler`
 */
export class CallableHandler<Info extends object = object> extends RequestHandler<Info> {
  /** Parses a request for {@link predicate}. */
  parse(args: HandlerCall): MaybePromise<unknown> {
    return load().then(({ parseRequest }) => parseRequest(this, args))
  }

  /** Returns whether the handler matches a request that {@link parse} has read. */
  predicate({ parsedResult }: HandlerCall & { parsedResult: unknown }): MaybePromise<boolean> {
    // MSW's classes return a promise, and callers use its `then`.
    return Promise.resolve((parsedResult as { match?: { matches?: boolean } } | undefined)?.match?.matches === true)
  }

  /** Returns whether the handler matches a request. */
  async test(args: HandlerCall): Promise<boolean> {
    return this.predicate({ ...args, parsedResult: await this.parse(args) })
  }

  /**
   * Runs the resolver if the handler matches, without life-cycle events, cookies or overrides.
   *
   * @returns `null` if the handler does not match, or is a `once` handler that has answered
   * @throws what the resolver throws, unless it is a response
   */
  run(args: HandlerRun): Promise<HandlerExecution | null> {
    return load().then(({ runHandler }) => runHandler(this, args))
  }

  /** Returns the additional arguments of the resolver. Default: those of the handler's protocol. */
  protected extendResolverArgs?(_args: { request: Request; parsedResult: unknown }): MaybePromise<object>

  /** If a subclass or a patched handler replaces the methods of MSW's class, calls these methods. */
  override match(incoming: IncomingRequest): object | null | Promise<object | null> {
    const { prototype } = CallableHandler
    return this.parse === prototype.parse && this.predicate === prototype.predicate && !this.extendResolverArgs
      ? super.match(incoming)
      : load().then(({ matchByMethods }) => matchByMethods(this, incoming))
  }

  /** Does nothing, because the console already has a line for each request. */
  log(_args: { request: Request; response: Response; parsedResult?: unknown }): MaybePromise<void> {}
}

/** Creates an instance of a class whose constructor has other arguments. */
export function createInstance<Instance extends CallableHandler>(
  type: { readonly prototype: Instance },
  definition: RequestHandlerDefinition<Omit<Instance['info'], keyof HandlerInfo>>,
): Instance {
  return Reflect.construct(CallableHandler, [definition], type as never) as Instance
}

function load(): Promise<typeof import('./run-handler.ts')> {
  return import('./run-handler.ts')
}

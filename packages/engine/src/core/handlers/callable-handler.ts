import { RequestHandler } from './request-handler.ts'

type MaybePromise<Value> = Value | Promise<Value>

/** What {@link CallableHandler.parse} and {@link CallableHandler.test} are given. */
export interface HandlerCall {
  request: Request
  resolutionContext?: { baseUrl?: string | undefined }
}

/** What {@link CallableHandler.run} is given. */
export interface HandlerRun extends HandlerCall {
  /** Identifies the request. Default: an id that no other request has. */
  requestId?: string
}

/** What {@link CallableHandler.run} returns where the handler matches. */
export interface HandlerExecution {
  handler: RequestHandler
  parsedResult: unknown
  request: Request
  requestId: string
  /** `undefined`: the resolver returned nothing. */
  response: Response | undefined
}

/**
 * A handler that code may call, as packages around MSW do. The methods load what runs resolvers when they are called.
 *
 * @see MSW's `RequestHandler`
 */
export class CallableHandler<Info extends object = object> extends RequestHandler<Info> {
  /** Reads what {@link predicate} is told of a request. */
  parse(args: HandlerCall): MaybePromise<unknown> {
    return load().then(({ parseRequest }) => parseRequest(this, args))
  }

  /** Whether the handler matches a request that {@link parse} has read. */
  predicate({ parsedResult }: HandlerCall & { parsedResult: unknown }): MaybePromise<boolean> {
    return (parsedResult as { match?: { matches?: boolean } } | undefined)?.match?.matches === true
  }

  /** Whether the handler matches a request. */
  async test(args: HandlerCall): Promise<boolean> {
    return this.predicate({ ...args, parsedResult: await this.parse(args) })
  }

  /**
   * Runs the resolver where the handler matches, without life-cycle events, cookies or overrides.
   *
   * @returns `null` where the handler does not match, or answers once and has
   * @throws what the resolver throws, unless it is a response
   */
  run(args: HandlerRun): Promise<HandlerExecution | null> {
    return load().then(({ runHandler }) => runHandler(this, args))
  }

  /** Does nothing: the console has a line for each request anyway. */
  log(_args: { request: Request; response: Response; parsedResult?: unknown }): MaybePromise<void> {}
}

function load(): Promise<typeof import('../network/run-handler.ts')> {
  return import('../network/run-handler.ts')
}

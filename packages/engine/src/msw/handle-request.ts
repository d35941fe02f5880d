import type { CallableHandler } from '../core/handlers/callable-handler.ts'
import type { Handler } from '../core/handlers/request-handler.ts'
import { describeMatch, type ParsedRequest } from '../core/handlers/run-handler.ts'
import { emit } from '../core/network/emit.ts'
import { handleRequest as decide } from '../core/network/handle-request.ts'
import { LifeCycleEmitter } from '../core/network/life-cycle-events.ts'
import { Network } from '../core/network/network.ts'
import { carryOut } from '../core/source.ts'
import { setUnhandledReport } from '../core/unhandled/set-unhandled-report.ts'
import * as unhandledReport from '../core/unhandled/unhandled-report.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../core/unhandled/unhandled-request.ts'

setUnhandledReport(unhandledReport)

/** An object that emits MSW's life-cycle events: `emitter.emit('request:start', { request, requestId })`. */
export interface RequestEmitter {
  emit(name: string, data: never): unknown
}

/** Options of {@link handleRequest}. */
export interface HandleRequestOptions {
  /** `baseUrl`: the base of relative paths. Default: the page's URL, if there is a page. */
  resolutionContext?: { baseUrl?: string | undefined; quiet?: boolean | undefined }
  /** Called with a request that no handler answers. */
  onPassthroughResponse?: (request: Request) => void
  /** Called with the response of a handler, the handler, and what the handler read from the request. */
  onMockedResponse?: (response: Response, result: HandlersExecutionResult) => void
}

/** The handler that answered, and what it read from the request. */
export interface HandlersExecutionResult {
  handler: CallableHandler
  /** The parameters of the path and the cookies; the name, type and variables of a GraphQL operation. */
  parsedResult: ParsedRequest
  response: Response
}

/**
 * Decides about a request that other code intercepted.
 *
 * @param handlers request handlers; WebSocket handlers are ignored
 * @returns the response; `Response.error()` for a network error of a resolver; `undefined` if no handler answers
 * @throws what `onUnhandledRequest` throws
 * @see MSW's `handleRequest`
 */
export async function handleRequest(
  request: Request,
  requestId: string,
  handlers: readonly Handler[],
  options: UnhandledOptions,
  emitter: RequestEmitter | LifeCycleEmitter,
  { resolutionContext, onPassthroughResponse, onMockedResponse }: HandleRequestOptions = {},
): Promise<Response | undefined> {
  const baseUrl = resolutionContext?.baseUrl
  const network = new Network(handlers, {
    unhandled: readUnhandledPolicy(options),
    ...(baseUrl !== undefined && { baseUrl }),
  })
  const parsed = new Map<object, ParsedRequest>()
  let answering: CallableHandler | undefined
  let isUnhandled = false
  network.events.on('*', ({ type, ...data }) => {
    isUnhandled ||= type === 'request:unhandled'
    if (type === 'request:end' && onMockedResponse) {
      // Not earlier: if anything observes decisions, the network reads the bodies of unhandled requests.
      network.decisions.add(({ entry }) => (answering = entry?.handler as CallableHandler | undefined))
    }
    if (emitter instanceof LifeCycleEmitter) emit(emitter, type, () => data as never)
    else emitter.emit(type, data as never)
  })
  if (onMockedResponse) {
    network.progress.add((step) => {
      if (step.type !== 'match') return
      const { handler } = step.entry
      parsed.set(handler, describeMatch(handler, step.incoming, step.extras))
    })
  }
  const outcome = await decide(request, network, requestId)
  const respond = (response: Response): Response => {
    if (answering) {
      const parsedResult = parsed.get(answering) ?? { match: { matches: false, params: {} }, cookies: {} }
      onMockedResponse?.(response, { handler: answering, parsedResult, response })
    }
    return response
  }
  return carryOut<Response | undefined>(outcome, {
    respond,
    fail(error) {
      if (isUnhandled || request.signal.aborted) throw error
      return respond(Response.error())
    },
    passthrough() {
      onPassthroughResponse?.(request)
      return undefined
    },
  })
}

import type { Handler } from '../core/handlers/request-handler.ts'
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
  /** Called with the response of a handler. */
  onMockedResponse?: (response: Response, result: { response: Response }) => void
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
  let isUnhandled = false
  network.events.on('*', ({ type, ...data }) => {
    isUnhandled ||= type === 'request:unhandled'
    if (emitter instanceof LifeCycleEmitter) emit(emitter, type, () => data as never)
    else emitter.emit(type, data as never)
  })
  const outcome = await decide(request, network, requestId)
  const respond = (response: Response): Response => {
    onMockedResponse?.(response, { response })
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

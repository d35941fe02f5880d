import { failure } from '../failure.ts'
import { Finalizers } from '../network/finalizers.ts'
import { Response } from '../platform.ts'
import { describe } from './check-handlers.ts'
import type { RequestHandler, ResolverInfo } from './request-handler.ts'
import { endIterator, keepProgress, progressOf, type Progress } from './resolver-progress.ts'

/** On a response: who answered with it. A body can be sent once. (Collecting what a `WeakMap` knows costs more.) */
const answeredBy: unique symbol = Symbol('answered by')

/**
 * Asks a handler's resolver for its answer.
 *
 * @param info is the resolver's own from now on
 * @param finalizers what the resolver's `finalize` is given; the caller runs it when the request is over
 * @returns the response, or nothing where the resolver leaves the request to others
 * @throws what the resolver throws, unless it is a response, and an error for a result that is no response
 */
export async function runResolver(
  handler: RequestHandler,
  info: ResolverInfo,
  finalizers: Finalizers,
): Promise<Response | undefined> {
  const underway = progressOf(handler)
  if (underway) return takeStep(handler, underway)
  // Taken before the resolver runs: of two requests at once, a handler that answers once gets the first.
  handler.isUsed = true
  const own = new Finalizers()
  let isOfGenerator = false
  const finalize = (cleanup: () => unknown): void => {
    // A generator outlives the request.
    if (own.isEmpty && !isOfGenerator) finalizers.add(() => isOfGenerator || own.run())
    own.add(cleanup)
  }
  let result: unknown
  try {
    info.finalize = finalize
    result = handler.resolver(info as never)
    // A generator counts from the moment it is made: a request that comes meanwhile takes its next step.
    if (!isIterator(result) && !isResponse(result)) result = await result
  } catch (thrown) {
    if (isResponse(thrown)) return checkResponse(handler, thrown)
    own.run()
    throw thrown
  }
  if (!isIterator(result)) return checkResponse(handler, result)
  isOfGenerator = true
  const other = progressOf(handler)
  if (other) {
    // Another request was first while the resolver made this one.
    own.run()
    void endIterator(result)
    return takeStep(handler, other)
  }
  const progress = { iterator: result, finalizers: own, last: undefined, isDone: false, turn: Promise.resolve() }
  keepProgress(handler, progress)
  return takeStep(handler, progress)
}

function takeStep(handler: RequestHandler, progress: Progress): Promise<Response | undefined> {
  // A generator that answers once is used up when it has ended.
  handler.isUsed = progress.isDone
  const step = progress.turn.then(async () => {
    if (progress.isDone) return handler.once ? undefined : repeat(progress)
    const { done, response } = await nextOf(handler, progress)
    if (response) progress.last = copyOf(response)
    if (!done) return response
    finish(handler, progress)
    return repeat(progress)
  })
  progress.turn = step.catch(() => {})
  return step
}

async function nextOf(
  handler: RequestHandler,
  progress: Progress,
): Promise<{ done: boolean; response: Response | undefined }> {
  let result: IteratorResult<unknown, unknown>
  try {
    result = await progress.iterator.next()
  } catch (thrown) {
    // What has thrown has ended.
    finish(handler, progress)
    if (isResponse(thrown)) return { done: false, response: checkResponse(handler, thrown) }
    throw thrown
  }
  return { done: result.done ?? false, response: checkResponse(handler, await result.value) }
}

function finish(handler: RequestHandler, progress: Progress): void {
  progress.isDone = true
  handler.isUsed = true
  progress.finalizers.run()
}

function repeat({ last }: Progress): Response | undefined {
  return last && copyOf(last)
}

/** A response without a body may be given again as it is, and keeps its marks (`passthrough()`). */
function copyOf(response: Response): Response {
  return response.body === null ? response : response.clone()
}

/** Whether a resolver's result is a generator's. */
export function isIterator(value: unknown): value is Progress['iterator'] {
  return typeof value === 'object' && value !== null && typeof (value as { next?: unknown }).next === 'function'
}

function checkResponse(handler: RequestHandler, value: unknown): Response | undefined {
  if (value === undefined || value === null) return undefined
  const operation = `answer with the handler ${handler.info.header}`
  if (!isResponse(value)) {
    throw failure(
      operation,
      `its resolver returned ${describe(value)}`,
      'Return a response, such as HttpResponse.json(…) or HttpResponse.text(…), or nothing to let the next handler answer.',
    )
  }
  const { body } = value
  if (value.bodyUsed || body?.locked || (value as { [answeredBy]?: RequestHandler })[answeredBy] === handler) {
    throw failure(
      operation,
      'the body of its response was already sent or read',
      'Create a response for each request, or return response.clone().',
    )
  }
  if (body) Reflect.defineProperty(value, answeredBy, { value: handler, configurable: true })
  return value
}

/** A response of this realm or another (jsdom and frames bring their own). */
export function isResponse(value: unknown): value is Response {
  try {
    return value instanceof Response || Object.prototype.toString.call(value) === '[object Response]'
  } catch {
    // A proxy may refuse to tell.
    return false
  }
}

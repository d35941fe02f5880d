import { describe } from '../describe.ts'
import { failure } from '../failure.ts'
import { isPromise } from '../is-promise.ts'
import { Response } from '../platform.ts'
import { knownBodyOf } from '../responses/http-response.ts'
import { mark } from '../responses/response-marks.ts'
import type { Steps } from '../steps.ts'
import { Finalizers, onStreamEnd, withBody } from './finalizers.ts'
import type { RequestHandler, ResolverInfo } from './request-handler.ts'
import { endIterator, keepProgress, progressOf, type Progress } from './resolver-progress.ts'

/**
 * Calls a handler's resolver.
 *
 * @param info the argument of the resolver. Do not use it afterwards
 * @param finalizers collects the functions passed to `finalize`. The caller runs them at the end of the request
 * @returns the response, or `undefined` if the resolver leaves the request to others
 * @throws the value that the resolver throws, unless it is a response; {UnderstudyError} if the result is not a
 *   response
 */
export function* runResolver(
  handler: RequestHandler,
  info: ResolverInfo,
  finalizers: Finalizers,
): Steps<Response | undefined> {
  const underway = progressOf(handler)
  if (underway) return yield takeStep(handler, underway)
  // Mark the handler as used before the resolver runs: of two concurrent requests, a `once` handler answers only the first.
  handler.isUsed = true
  let own: Finalizers | undefined
  let isOfGenerator = false
  info.finalize = (cleanup) => {
    const cleanups = (own ??= new Finalizers())
    // A generator outlives the request.
    if (cleanups.isEmpty && !isOfGenerator) finalizers.add(() => isOfGenerator || cleanups.run())
    cleanups.add(cleanup)
  }
  let result: unknown
  try {
    // Call it as a function, so that `this` of the resolver is not the engine's handler.
    const { resolver } = handler
    result = resolver(info as never)
    if (isPromise(result)) result = yield result
  } catch (thrown) {
    if (isResponse(thrown)) return checkResponse(handler, thrown)
    own?.run()
    throw thrown
  }
  if (!isIterator(result)) return checkResponse(handler, result)
  isOfGenerator = true
  own ??= new Finalizers()
  const other = progressOf(handler)
  if (other) {
    // Another request stored its generator first, while the resolver created this one.
    own.run()
    void endIterator(result)
    return yield takeStep(handler, other)
  }
  // A generator counts from its creation: a request that arrives before its first value takes its next step.
  const progress = { iterator: result, finalizers: own, last: undefined, isDone: false, turn: Promise.resolve() }
  keepProgress(handler, progress)
  return yield takeStep(handler, progress)
}

function takeStep(handler: RequestHandler, progress: Progress): Promise<Response | undefined> {
  // The generator of a `once` handler is used up when it has ended.
  handler.isUsed = progress.isDone
  const step = progress.turn.then(async () => {
    if (progress.isDone) return handler.once ? undefined : repeat(progress)
    const { done, response } = await nextOf(handler, progress)
    if (response) progress.last = response
    if (!done) return response && repeat(progress)
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
    // A generator that throws has ended.
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

/** Returns the last response for one request, and keeps a copy for the next one. */
function repeat(progress: Progress): Response | undefined {
  const { last } = progress
  // A response without a body can be sent several times. It keeps its marks (`passthrough()`).
  if (!last || last.body === null) return last
  const known = knownBodyOf(last)
  if (known) {
    const copy = withBody(last, known.text)
    mark(copy).known = known
    return copy
  }
  progress.last = last.clone()
  // A client that cancels the body must not wait for the kept copy, which is not read yet.
  return withBody(
    last,
    onStreamEnd(last.body, () => false),
  )
}

/** Returns whether the result of a resolver is a generator object. */
export function isIterator(value: unknown): value is Progress['iterator'] {
  return typeof value === 'object' && value !== null && typeof (value as { next?: unknown }).next === 'function'
}

function checkResponse(handler: RequestHandler, value: unknown): Response | undefined {
  if (value === undefined || value === null) return undefined
  const operation = `answer with the handler ${handler.info.header}`
  if (!isResponse(value)) {
    const error = failure(
      'US0205',
      operation,
      `its resolver returned ${describe(value)}`,
      'Return a response, such as HttpResponse.json(…) or HttpResponse.text(…), or nothing to let the next handler answer.',
    )
    throw placeAtHandler(error, handler)
  }
  const { body } = value
  const marks = mark(value)
  if (value.bodyUsed || body?.locked || marks.sender === handler) {
    const error = failure(
      'US0206',
      operation,
      'the body of its response was already sent or read',
      'Create a response for each request, or return response.clone().',
    )
    throw placeAtHandler(error, handler)
  }
  if (body) marks.sender = handler
  return value
}

/** Gives the error the handler's line for a stack: the resolver has ended, and only frames of the engine are left. */
function placeAtHandler(error: Error, { info: { callSite } }: RequestHandler): Error {
  if (callSite) {
    error.stack = `${error.name}: ${error.message}\n    at ${callSite.file}:${callSite.line}:${callSite.column}`
  }
  return error
}

/** Returns whether a value is a response of this or another realm (jsdom and frames have their own classes). */
export function isResponse(value: unknown): value is Response {
  try {
    return value instanceof Response || Object.prototype.toString.call(value) === '[object Response]'
  } catch {
    // A revoked proxy throws.
    return false
  }
}

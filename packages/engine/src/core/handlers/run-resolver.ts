import { describe } from '../describe.ts'
import { failure } from '../failure.ts'
import { Response } from '../platform.ts'
import { knownBodyOf } from '../responses/http-response.ts'
import { mark } from '../responses/response-marks.ts'
import { Finalizers, onStreamEnd, withBody } from './finalizers.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { RequestHandler, ResolverInfo } from './request-handler.ts'
import { createInfo, type GetterData } from './resolver-info.ts'
import { endIterator, keepProgress, progressOf, type Progress } from './resolver-progress.ts'

/**
 * A call of a handler's resolver: {@link startResolver}, {@link failResolver} if it throws or rejects, {@link finishResolver}. It
 * is an object and not a function that waits, because a waiting function keeps three times as much memory for each request.
 */
export interface ResolverCall extends GetterData {
  readonly handler: RequestHandler
  /** Collects the functions passed to `finalize`. The caller runs them at the end of the request. */
  readonly finalizers: Finalizers
  /** The functions that this resolver passed to `finalize`. */
  own: Finalizers | undefined
  /** Whether a generator answers: one that this resolver has created, or that of an earlier request. */
  isOfGenerator: boolean
}

/** Creates the call of a resolver, which has not started. */
export function createCall(handler: RequestHandler, incoming: IncomingRequest, finalizers: Finalizers): ResolverCall {
  return { handler, incoming, request: undefined, finalizers, own: undefined, isOfGenerator: false }
}

/**
 * Calls a resolver.
 *
 * @param extras the arguments that the protocol of the handler adds
 * @returns what the resolver returns, for {@link finishResolver}; a promise of it if the resolver returns one
 * @throws what the resolver throws
 */
export function startResolver(call: ResolverCall, extras: object): unknown {
  const { handler } = call
  const underway = progressOf(handler)
  if (underway) {
    call.isOfGenerator = true
    return takeStep(handler, underway)
  }
  // Mark the handler as used before the resolver runs: of two concurrent requests, a `once` handler answers only the first.
  handler.isUsed = true
  // A bound function keeps less memory than a closure, and each request that waits keeps one.
  const info = createInfo(call, extras, finalize.bind(undefined, call))
  return runResolver(handler, info)
}

/**
 * Returns what a resolver threw, if it is a response.
 *
 * @throws what the resolver threw, unless it is a response
 */
export function failResolver({ own }: ResolverCall, thrown: unknown): Response {
  if (isResponse(thrown)) return thrown
  own?.run()
  throw thrown
}

/**
 * Returns the response; `undefined` if the resolver leaves the request to others. Of a generator, this is its next response.
 *
 * @throws {UnderstudyError} if the result is not a response
 */
export function finishResolver(
  call: ResolverCall,
  result: unknown,
): Response | undefined | Promise<Response | undefined> {
  const { handler } = call
  // A step of an earlier request's generator has checked the response.
  if (call.isOfGenerator) return result as Response | undefined
  if (!isIterator(result)) return checkResponse(handler, result)
  call.isOfGenerator = true
  const finalizers = (call.own ??= new Finalizers())
  let progress = progressOf(handler)
  if (progress) {
    // Another request stored its generator first, while the resolver created this one.
    finalizers.run()
    void endIterator(result)
  } else {
    // A generator counts from its creation: a request that arrives before its first value takes its next step.
    progress = { iterator: result, finalizers, last: undefined, isDone: false, turn: Promise.resolve() }
    keepProgress(handler, progress)
  }
  return takeStep(handler, progress)
}

function finalize(call: ResolverCall, cleanup: () => unknown): void {
  const cleanups = (call.own ??= new Finalizers())
  // A generator outlives the request.
  if (cleanups.isEmpty && !call.isOfGenerator) call.finalizers.add(() => call.isOfGenerator || cleanups.run())
  cleanups.add(cleanup)
}

/** The panel finds the frame of this function in the stack of an error: those before it belong to the resolver. */
function runResolver({ resolver }: RequestHandler, info: ResolverInfo): unknown {
  // Called as a function, so that `this` of the resolver is not the engine's handler.
  return resolver(info as never)
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
  // A response without a body can be sent several times. It keeps its marks (`passthrough()`). In React Native, responses show
  // no stream, and the client gets a copy.
  if (!last?.body) return last
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
  if (marks.known?.text === '[object Promise]') {
    const error = failure(
      'US0228',
      operation,
      'the body of its response is a Promise',
      'Pass the value: HttpResponse.json(await …).',
    )
    throw placeAtHandler(error, handler)
  }
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

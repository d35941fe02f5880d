import { couldAnswer } from '../handlers/candidates.ts'
import { finalizeAfter, Finalizers } from '../handlers/finalizers.ts'
import { IncomingRequest, type BareRequest, type RequestBody } from '../handlers/incoming-request.ts'
import { isPromise } from '../is-promise.ts'
import { isBypassed } from '../responses/bypass-marks.ts'
import { knownBodyOf, setCookiesOf } from '../responses/http-response.ts'
import { isPassthroughResponse } from '../responses/passthrough.ts'
import { proceed, type Steps } from '../steps.ts'
import { isCommonAssetRequest } from '../unhandled/is-common-asset-request.ts'
import { getUnhandledReport } from '../unhandled/set-unhandled-report.ts'
import { isData } from './app-request.ts'
import { askHandlers, type Asked, type Entry } from './ask-handlers.ts'
import { ClientAbort } from './client-abort.ts'
import { cookieJarOf } from './cookie-jar-of.ts'
import { networkErrorOutcome, passthroughOutcome } from './create-outcome.ts'
import { modeOfApp } from './document-request.ts'
import { emitOfRequest } from './emit.ts'
import { emitMocked } from './mocked-copies.ts'
import type { Network } from './network.ts'
import { noResponse } from './no-response.ts'
import type { Outcome } from './outcome.ts'
import { unhandledOutcome } from './unhandled-outcome.ts'

// The life of a request, from top to bottom: isIgnorable → handleRequest → handleInSteps → askHandlers → conclude → answer →
// report.

/**
 * Returns whether a source may send a request to the network without asking the handlers: the request is outside of the
 * network's scope, or no handler could match it, no listener or observer needs it, and the policy reports no unhandled
 * requests.
 *
 * @param method upper case
 */
export function isIgnorable(network: Network, method: string, url: URL): boolean {
  if (!network.isConcerned) return true
  const { events, unhandled } = network
  if (!unhandled.isSilent || !network.decisions.isEmpty) return false
  if (events.isHeard('request:start', 'request:unhandled', 'request:end', 'response:bypass')) return false
  return !couldAnswer(network, method, url)
}

/**
 * Decides about a request. This is the one place where handlers are asked and life-cycle events are emitted.
 * (`response:bypass` is emitted through the outcome's `onResponse`: only the source has that response.)
 *
 * Never rejects. The request's body stays unread, because the source may send it: handlers and listeners read copies.
 *
 * @param requestId identifies the request in life-cycle events
 * @param body reads or copies the request's body faster than `clone()`, if the source provides this
 * @param others asks the other networks of this process if no handler of this one answers
 */
export async function handleRequest(...args: DecisionArguments): Promise<Outcome> {
  // The client may abort the request right after it made it, and then gets no response.
  await Promise.resolve()
  return handleAtOnce(...args)
}

/**
 * {@link handleRequest} without a promise if nothing has to be awaited, as for most handlers. For sources that have waited
 * for an abort themselves.
 */
export function handleAtOnce(...args: DecisionArguments): Outcome | Promise<Outcome> {
  return proceed(handleInSteps(...args))
}

type DecisionArguments = Parameters<typeof handleInSteps>

/** {@link handleAtOnce} as a part of another function that waits only for promises: nothing else waits for the decision. */
export function* handleInSteps(
  request: Request | BareRequest,
  network: Network,
  requestId: string = createRequestId(),
  body?: RequestBody,
  others?: AskOthers,
): Steps<Outcome> {
  const startedAt = Date.now()
  const start = performance.now()
  const incoming = new IncomingRequest(request, requestId, cookieJarOf(network), network.baseUrl, body)
  const { fullRequest } = incoming
  emitOfRequest(network.events, 'request:start', incoming)
  if (!network.progress.isEmpty) {
    network.progress.call({ type: 'start', requestId, request: incoming.request, startedAt })
  }

  const index = freeIndices.pop() ?? underWay.length
  underWay[index] = incoming
  let decided: Decided
  if (network.recording?.passesAll || (fullRequest && isBypassed(fullRequest.headers))) {
    decided = { outcome: passthroughOutcome('passthrough', incoming, network) }
  } else {
    const finalizers = new Finalizers(fullRequest?.signal)
    const asking = askHandlers(incoming, network, finalizers)
    // A client cannot abort a bare request.
    const asked = fullRequest ? yield* untilAborted(fullRequest, asking) : yield* asking
    const concluding = conclude(asked, incoming, network, finalizers, others)
    decided = fullRequest ? yield* untilAborted(fullRequest, concluding) : yield* concluding
  }

  underWay[index] = undefined
  freeIndices.push(index)

  // The listeners may have changed meanwhile.
  if (fullRequest?.signal.reason instanceof ClientAbort) network.progress.call({ type: 'abandon', requestId })
  else report(decided, incoming, network, startedAt, start)
  return decided.outcome
}

let lastId = 0
const idPrefix = `${Math.random().toString(16).slice(2, 10)}-`

/** Creates an id for a request that is unique among the requests of all pages. */
function createRequestId(): string {
  lastId += 1
  return idPrefix + lastId
}

/**
 * Requests in progress. Node garbage-collects a request that has no reference, and its abort signal never fires.
 * This is not a `Set`: each time a `Set` grows or shrinks, its old table keeps a request until the next full garbage
 * collection.
 */
const underWay: (IncomingRequest | undefined)[] = []
/** The free indices of {@link underWay}. */
const freeIndices: number[] = []

/**
 * Asks the other networks about a request that no handler of this one answers.
 *
 * @param isMatched whether a handler matched and left the request to others
 * @param applyPolicy applies this network's policy for requests that no handler answers
 */
export type AskOthers = (
  incoming: IncomingRequest,
  isMatched: boolean,
  applyPolicy: () => Promise<Outcome>,
) => Promise<{ outcome: Outcome; isUnhandled?: true }>

interface Decided {
  outcome: Outcome
  /** The handler that decided, if one did. */
  entry?: Entry | undefined
  /** Whether no handler matched. */
  isUnhandled?: true
}

/** Runs a part of the decision, or stops waiting for it when the client aborts the request. */
function* untilAborted<Part>({ signal }: Request, part: Steps<Part>): Steps<Part | { outcome: Outcome }> {
  if (signal.aborted) return abortOutcome(signal)
  const result = proceed(part)
  return isPromise(result) ? yield orAborted(result, signal) : result
}

function orAborted<Part>(result: Promise<Part>, signal: AbortSignal): Promise<Part | { outcome: Outcome }> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve(abortOutcome(signal))
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    result.then(resolve, reject)
  })
}

/** The client gets its own reason. Set no cookies, print nothing and emit no event. */
function abortOutcome({ reason }: AbortSignal): { outcome: Outcome } {
  return { outcome: { type: 'network-error', error: reason as unknown } }
}

/** Turns the result of asking the handlers into a decision. */
function* conclude(
  asked: Asked,
  incoming: IncomingRequest,
  network: Network,
  finalizers: Finalizers,
  others?: AskOthers,
): Steps<Decided> {
  const { outcome, response, entry } = asked
  if (outcome) return { outcome, entry }
  if (response && entry) {
    const given = answer(response, entry, incoming, network, finalizers)
    return { outcome: isPromise(given) ? yield given : given, entry }
  }
  finalizers.run()
  return yield* applyPolicies(asked, incoming, network, others)
}

/** Decides about a request that no handler has answered. */
function* applyPolicies(
  { entry, askedProtocols }: Asked,
  incoming: IncomingRequest,
  network: Network,
  others?: AskOthers,
): Steps<Decided> {
  const mode = modeOfApp(incoming, network.pages)
  // Do not report requests for the app's own pages and code. A handler that may answer code has matched on purpose.
  if (mode && (mode === 'navigate' || !(entry || isData(mode, incoming.url)))) {
    return { outcome: passthroughOutcome('unhandled', incoming, network) }
  }
  const applyPolicy = (): Promise<Outcome> =>
    entry ? noResponse(incoming, entry.handler, network) : unhandledOutcome(incoming, network, askedProtocols)
  if (others) {
    const other: Decided = yield others(incoming, entry !== undefined, applyPolicy)
    return { entry, ...other }
  }
  const unanswered: Outcome = yield applyPolicy()
  return entry ? { outcome: unanswered, entry } : { outcome: unanswered, isUnhandled: true }
}

/** Turns a handler's response into an outcome, and stores its cookies. */
function answer(
  response: Response,
  entry: Entry,
  incoming: IncomingRequest,
  network: Network,
  finalizers: Finalizers,
): Outcome | Promise<Outcome> {
  if (isPassthroughResponse(response)) {
    finalizers.run()
    return passthroughOutcome('passthrough', incoming, network)
  }
  if (response.type === 'error') {
    finalizers.run()
    return networkErrorOutcome(incoming, entry.handler, response)
  }
  const answered = entry.override?.apply?.(response) ?? response
  // A text body is complete at once, and `report` shows it.
  if (network.wantsResponses && answered.body && !knownBodyOf(answered)) {
    const onEnd = (listener: () => void): void => finalizers.add(listener)
    network.progress.call({ type: 'answer', requestId: incoming.id, response: answered, onEnd })
  }
  const mocked = (): Outcome => ({ type: 'mocked', response: finalizeAfter(answered, finalizers) })
  const setCookies = setCookiesOf(answered)
  const storing = setCookies.length > 0 ? cookieJarOf(network).store(incoming.request, setCookies) : undefined
  return storing ? storing.then(mocked) : mocked()
}

/** Emits the events of a decision, and notifies the network's observers. */
function report(decided: Decided, incoming: IncomingRequest, network: Network, startedAt: number, start: number): void {
  const { events, decisions } = network
  emitOfRequest(events, 'request:end', incoming)
  if (decided.outcome.type === 'mocked' && events.isHeard('response:mocked')) {
    decided.outcome = { type: 'mocked', response: emitMocked(decided.outcome.response, incoming, events) }
  }
  if (decisions.isEmpty) return
  const { outcome, entry, isUnhandled } = decided
  const { request, id: requestId } = incoming
  const duration = performance.now() - start
  const isReported = isUnhandled === true && !isCommonAssetRequest(request)
  decisions.call({
    request,
    requestId,
    name: incoming.readAs?.name,
    startedAt,
    duration,
    outcome,
    entry,
    // `unhandledOutcome` has loaded the code.
    nearest: () => (isReported && getUnhandledReport()?.findNearestHandlers(network, incoming)) || [],
    suggestion: () => (isReported ? getUnhandledReport()?.suggestHandler(incoming) : undefined),
  })
}

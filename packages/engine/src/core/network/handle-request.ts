import { withStatus } from '../handlers/override.ts'
import { isBypassed } from '../responses/bypass.ts'
import { setCookiesOf } from '../responses/http-response.ts'
import { isPassthroughResponse } from '../responses/passthrough.ts'
import { createLinearMatcher } from '../routing/linear-matcher.ts'
import { matchPathsLinearly } from '../routing/path-pattern.ts'
import { finalizeAfter, networkErrorBy } from './answer.ts'
import { askHandlers, type Entry } from './ask-handlers.ts'
import { suggestHandler } from './describe-miss.ts'
import { isDocumentRequest } from './document-request.ts'
import { Finalizers } from './finalizers.ts'
import { GivenUp } from './given-up.ts'
import { IncomingRequest } from './incoming-request.ts'
import { isCommonAssetRequest } from './is-common-asset-request.ts'
import { miss } from './miss.ts'
import { findNearestHandlers } from './nearest-handlers.ts'
import type { Network } from './network.ts'
import type { Decision, Outcome } from './outcome.ts'
import { performed, withUrl } from './performed.ts'
import type { RequestBody } from './request-body.ts'

matchPathsLinearly(createLinearMatcher)

let lastId = 0
const run = Math.random().toString(16).slice(2, 10)

/** An id for a request, unique among those of all pages. */
function createRequestId(): string {
  lastId += 1
  return `${run}-${lastId}`
}

/**
 * What is being decided about. Node drops a request that nobody holds, and then nobody hears of its signal.
 * Not a Set: each time that one grows or shrinks, its old table keeps a request until the next full garbage collection.
 */
const underWay: (Request | undefined)[] = []
/** Places in {@link underWay} that are free. */
const freePlaces: number[] = []

/**
 * Decides about a request. This is the one place where handlers are asked and life-cycle events are emitted.
 * (`response:bypass` is emitted through the outcome's `tell`: only the source has that response.)
 *
 * Never rejects. The request's body stays unread, for a source that performs it: handlers and listeners read copies.
 *
 * @param requestId identifies the request in life-cycle events
 * @param body a shorter way to the request's body than a copy made by `clone()`, where the source has one
 * @param others asks the other networks of this process, where no handler of this one answers
 */
export async function handleRequest(
  request: Request,
  network: Network,
  requestId: string = createRequestId(),
  body?: RequestBody,
  others?: AskOthers,
): Promise<Outcome> {
  const { events, observers } = network
  const startedAt = Date.now()
  const start = performance.now()
  const incoming = new IncomingRequest(request, requestId, network.cookies, network.baseUrl, body)
  const eventData = () => ({ request: incoming.copy(), requestId })
  events.emit('request:start', eventData)

  const place = freePlaces.pop() ?? underWay.length
  underWay[place] = request
  const { outcome, entry, isMiss }: Decided = isBypassed(request.headers)
    ? { outcome: performed('passthrough', incoming, network), entry: undefined }
    : await decideUntilAborted(incoming, network, others)
  underWay[place] = undefined
  freePlaces.push(place)
  // Those who listen now are others.
  if (request.signal.reason instanceof GivenUp) return outcome

  events.emit('request:end', eventData)
  if (outcome.type === 'mocked') {
    const { response } = outcome
    events.emit('response:mocked', () => ({ ...eventData(), response: withUrl(response.clone(), request.url) }))
  }
  if (observers.size > 0) {
    const duration = performance.now() - start
    const isMissed = isMiss === true && !isCommonAssetRequest(request)
    const decision: Decision = {
      request,
      requestId,
      name: incoming.readAs?.name,
      startedAt,
      duration,
      outcome,
      entry,
      nearest: () => (isMissed ? findNearestHandlers(network, incoming) : []),
      suggestion: () => (isMissed ? suggestHandler(incoming) : undefined),
    }
    for (const observe of observers) observe(decision)
  }
  return outcome
}

/**
 * Asks the other networks about a request that no handler of this one answers.
 *
 * @param isMatched whether a handler matched, and left the request to others
 * @param missed applies this network's policy for unhandled requests
 */
export type AskOthers = (
  incoming: IncomingRequest,
  isMatched: boolean,
  missed: () => Promise<Outcome>,
) => Promise<{ outcome: Outcome; isMiss?: true }>

interface Decided {
  outcome: Outcome
  /** Who decided, where a handler did. */
  entry: Entry | undefined
  /** Whether no handler matched. */
  isMiss?: true
}

/** Decides, or ends the wait for that when whoever made the request gives it up. */
function decideUntilAborted(incoming: IncomingRequest, network: Network, others?: AskOthers): Promise<Decided> {
  const { request } = incoming
  return new Promise((resolve, reject) => {
    const finalizers = new Finalizers()
    const end = (): void => {
      finalizers.run()
      resolve({ outcome: abortedBy(request), entry: undefined })
    }
    if (request.signal.aborted) {
      end()
      return
    }
    // One listener for both: every request pays for it.
    request.signal.addEventListener('abort', end, { once: true })
    decide(incoming, network, finalizers, others).then(resolve, reject)
  })
}

async function decide(
  incoming: IncomingRequest,
  network: Network,
  finalizers: Finalizers,
  others?: AskOthers,
): Promise<Decided> {
  const { outcome, response, entry, missedBy } = await askHandlers(incoming, network, finalizers)
  // Nobody waits any more: nothing is set, printed or told of it.
  if (incoming.request.signal.aborted) return { outcome: abortedBy(incoming.request), entry: undefined }
  if (outcome) return { outcome, entry }
  if (response && entry) {
    const given = answer(response, entry, incoming, network, finalizers)
    // Most answers are there at once, and waiting costs every request.
    return { outcome: given instanceof Promise ? await given : given, entry }
  }
  finalizers.run()
  // The app's own pages are no requests to report.
  if (isDocumentRequest(incoming.request))
    return { outcome: performed('unhandled', incoming, network), entry: undefined }
  const missed = (): Promise<Outcome> => miss(incoming, network, missedBy)
  if (others) return { entry, ...(await others(incoming, entry !== undefined, missed)) }
  return entry
    ? { outcome: performed('passthrough', incoming, network), entry }
    : { outcome: await missed(), entry, isMiss: true }
}

function answer(
  response: Response,
  entry: Entry,
  incoming: IncomingRequest,
  network: Network,
  finalizers: Finalizers,
): Outcome | Promise<Outcome> {
  if (isPassthroughResponse(response)) {
    finalizers.run()
    return performed('passthrough', incoming, network)
  }
  if (response.type === 'error') {
    finalizers.run()
    return networkErrorBy(incoming, entry.handler, response)
  }
  const status = entry.override?.status
  const answered = status === undefined ? response : withStatus(response, status)
  const mocked = (): Outcome => ({ type: 'mocked', response: finalizeAfter(answered, finalizers) })
  const storing = network.cookies.store(incoming.request, setCookiesOf(answered))
  return storing ? storing.then(mocked) : mocked()
}

function abortedBy({ signal }: Request): Outcome {
  return { type: 'network-error', error: signal.reason }
}

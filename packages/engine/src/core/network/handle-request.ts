import { failure } from '../failure.ts'
import type { LayerEntry } from '../handlers/handler-layers.ts'
import { withStatus } from '../handlers/override.ts'
import type { Envelope, Protocol } from '../handlers/protocol.ts'
import type { RequestHandler, ResolverInfo } from '../handlers/request-handler.ts'
import { isResponse, runResolver } from '../handlers/run-resolver.ts'
import { isBypassed } from '../responses/bypass.ts'
import { delay } from '../responses/delay.ts'
import { setCookiesOf } from '../responses/http-response.ts'
import { networkErrorReason } from '../responses/network-error.ts'
import { isPassthroughResponse } from '../responses/passthrough.ts'
import { finalizeAfter, nameHandler, toErrorResponse } from './answer.ts'
import { describeMiss } from './describe-miss.ts'
import { Finalizers } from './finalizers.ts'
import { IncomingRequest } from './incoming-request.ts'
import { isCommonAssetRequest } from './is-common-asset-request.ts'
import { findNearestHandlers } from './nearest-handlers.ts'
import type { Network } from './network.ts'
import type { Outcome, Performed } from './outcome.ts'

type Entry = LayerEntry<RequestHandler>

let lastId = 0
const run = Math.random().toString(16).slice(2, 10)

/** An id for a request, unique among those of all pages. */
function createRequestId(): string {
  lastId += 1
  return `${run}-${lastId}`
}

/** What is being decided about. Node drops a request that nobody holds, and then nobody hears of its signal. */
const underWay = new Set<Request>()

/**
 * Decides about a request. This is the one place where handlers are asked and life-cycle events are emitted.
 * (`response:bypass` is emitted through the outcome's `tell`: only the source has that response.)
 *
 * Never rejects. The request's body stays unread, for a source that performs it: handlers and listeners read copies.
 *
 * @param requestId identifies the request in life-cycle events
 */
export async function handleRequest(
  request: Request,
  network: Network,
  requestId: string = createRequestId(),
): Promise<Outcome> {
  const { events, observers } = network
  const startedAt = Date.now()
  const start = performance.now()
  const incoming = new IncomingRequest(request, requestId, network.cookies, network.baseUrl)
  const eventData = () => ({ request: incoming.copy(), requestId })
  events.emit('request:start', eventData)

  underWay.add(request)
  const { outcome, entry, isMiss }: Decided = isBypassed(request.headers)
    ? { outcome: performed('passthrough', incoming, network), entry: undefined }
    : await Promise.race([abortion(request), decide(incoming, network)])
  underWay.delete(request)

  events.emit('request:end', eventData)
  if (outcome.type === 'mocked') {
    const { response } = outcome
    events.emit('response:mocked', () => ({ ...eventData(), response: response.clone() }))
  }
  if (observers.size > 0) {
    const duration = performance.now() - start
    const nearest = () => (isMiss && !isCommonAssetRequest(request) ? findNearestHandlers(network, incoming) : [])
    const name = incoming.readAs?.name
    for (const observe of observers) observe({ request, requestId, name, startedAt, duration, outcome, entry, nearest })
  }
  return outcome
}

interface Decided {
  outcome: Outcome
  /** Who decided, where a handler did. */
  entry: Entry | undefined
  /** Whether no handler matched. */
  isMiss?: true
}

async function decide(incoming: IncomingRequest, network: Network): Promise<Decided> {
  const finalizers = new Finalizers()
  incoming.request.signal.addEventListener('abort', () => finalizers.run(), { once: true })
  const { outcome, response, entry, missedBy } = await askHandlers(incoming, network, finalizers)
  // Nobody waits any more: nothing is set, printed or told of it.
  if (incoming.request.signal.aborted) return { outcome: abortedBy(incoming.request), entry: undefined }
  if (outcome) return { outcome, entry }
  if (response && entry) return { outcome: answer(response, entry, incoming, network, finalizers), entry }
  finalizers.run()
  return entry
    ? { outcome: performed('passthrough', incoming, network), entry }
    : { outcome: await miss(incoming, network, missedBy), entry: undefined, isMiss: true }
}

/** What came of asking the handlers. An entry alone: it matched, and left the request to others. */
interface Asked {
  readonly entry?: Entry | undefined
  readonly response?: Response
  readonly outcome?: Outcome
  /** Where no handler matched: the protocols whose handlers were asked. */
  readonly missedBy?: ReadonlySet<Protocol>
}

/** @param only asks the handlers of this protocol alone, about a part of a request that was unwrapped already */
async function askHandlers(
  incoming: IncomingRequest,
  network: Network,
  finalizers: Finalizers,
  only?: Protocol,
): Promise<Asked> {
  const { events } = network
  const asked = new Set<Protocol>()
  const unwrapped = new Set<Protocol>()
  let lastMatch: Entry | undefined

  for await (const entry of network.layers.candidates(incoming)) {
    const { handler } = entry
    const { protocol } = handler
    if (incoming.request.signal.aborted) break
    if (!canAnswer(entry) || (only && protocol !== only)) continue
    if (protocol) asked.add(protocol)
    let response: Response | undefined
    try {
      const wrapped = protocol && !only && !unwrapped.has(protocol) ? handler.unwrap(incoming) : null
      // Waiting for what is there already would cost more than matching, over a thousand handlers.
      const envelope = wrapped instanceof Promise ? await wrapped : wrapped
      if (protocol && envelope) {
        unwrapped.add(protocol)
        const answered = await answerEnvelope(envelope, entry, network, finalizers)
        if (answered) return answered
      }
      const matched = handler.match(incoming)
      const extras = matched instanceof Promise ? await matched : matched
      // Another request may have been answered while this one was matched.
      if (extras === null || !canAnswer(entry)) continue
      lastMatch = entry
      events.emit('request:match', () => ({ request: incoming.copy(), requestId: incoming.id, handler }))
      if (entry.override?.delay) await delay(entry.override.delay)
      if (entry.override?.networkError) return { outcome: networkError(incoming, handler), entry }
      response = await runResolver(handler, createInfo(incoming, extras), finalizers)
    } catch (thrown) {
      response = isResponse(thrown) ? thrown : toErrorResponse(thrown, handler, incoming, network)
    }
    if (!response || incoming.request.signal.aborted) continue
    entry.hits += 1
    if (protocol && isContent(response)) response = await protocol.finish(response, incoming)
    return { response, entry }
  }
  return lastMatch ? { entry: lastMatch } : { missedBy: asked }
}

/** Whether a response is one, and no sign that means something else. */
function isContent(response: Response): boolean {
  return response.type !== 'error' && !isPassthroughResponse(response)
}

/**
 * Has the parts of a request answered, each by itself, by the handlers of the protocol that wrapped them.
 *
 * @param finder the handler whose protocol knew the envelope
 * @returns nothing where no handler answered any part
 */
async function answerEnvelope(
  envelope: Envelope,
  finder: Entry,
  network: Network,
  finalizers: Finalizers,
): Promise<Asked | undefined> {
  const { parts } = envelope
  if (parts.length === 0) return { response: await envelope.join([]), entry: finder }
  const asked = await Promise.all(parts.map((part) => askHandlers(part, network, finalizers, finder.handler.protocol)))
  const answered = asked.filter(({ response, outcome }) => response ?? outcome)
  if (answered.length === 0) return undefined
  const failed = answered.find(({ response, outcome }) => outcome ?? response?.type === 'error')
  if (failed) return failed
  for (const [index, part] of parts.entries()) {
    if (asked[index]?.entry) continue
    const outcome = await miss(part, network, asked[index]?.missedBy)
    if (outcome.type === 'network-error') return { outcome }
  }
  const responses = asked.map(({ response }) => (response && isContent(response) ? response : undefined))
  if (responses.every((response) => response === undefined)) return answered[0]
  try {
    return { response: await envelope.join(responses), entry: answered[0]?.entry }
  } catch (error) {
    // What was left of it could not be performed.
    return { outcome: { type: 'network-error', error }, entry: undefined }
  }
}

function canAnswer({ enabled, handler }: Entry): boolean {
  return enabled && !(handler.once && handler.isUsed)
}

function createInfo(incoming: IncomingRequest, extras: object): ResolverInfo {
  return {
    request: incoming.copy(),
    requestId: incoming.id,
    url: incoming.url,
    cookies: incoming.cookies,
    finalize: () => {},
    ...extras,
  }
}

function answer(
  response: Response,
  entry: Entry,
  incoming: IncomingRequest,
  network: Network,
  finalizers: Finalizers,
): Outcome {
  if (isPassthroughResponse(response)) {
    finalizers.run()
    return performed('passthrough', incoming, network)
  }
  if (response.type === 'error') {
    finalizers.run()
    return networkError(incoming, entry.handler, networkErrorReason(response))
  }
  const status = entry.override?.status
  const answered = status === undefined ? response : withStatus(response, status)
  network.cookies.store(incoming.request, setCookiesOf(answered))
  return { type: 'mocked', response: finalizeAfter(answered, finalizers) }
}

function networkError({ method, url }: IncomingRequest, handler: RequestHandler, reason?: string): Outcome {
  const error = failure(
    `perform ${method} ${url.href}`,
    reason ?? `the handler ${nameHandler(handler)} answers with a network error`,
    reason ? `The handler ${nameHandler(handler)} asks for this.` : 'This is what the handler asks for.',
  )
  return { type: 'network-error', error }
}

async function miss(incoming: IncomingRequest, network: Network, by?: ReadonlySet<Protocol>): Promise<Outcome> {
  const { request, id } = incoming
  for (const protocol of by ?? []) protocol.missed(incoming)
  network.events.emit('request:unhandled', () => ({ request: incoming.copy(), requestId: id }))
  try {
    await network.unhandled.apply(incoming.copy(), id, () =>
      describeMiss(incoming, isCommonAssetRequest(request) ? [] : findNearestHandlers(network, incoming)),
    )
  } catch (error) {
    return { type: 'network-error', error }
  }
  return performed('unhandled', incoming, network)
}

function performed<Type extends 'passthrough' | 'unhandled'>(
  type: Type,
  incoming: IncomingRequest,
  { events }: Network,
): Performed<Type> {
  if (!events.isHeard('response:bypass')) return { type, tell: undefined }
  // When the response is there, the body of the request itself was sent.
  const request = incoming.copy()
  return {
    type,
    tell: (response) =>
      events.emit('response:bypass', () => ({
        request: request.body === null ? request : request.clone(),
        requestId: incoming.id,
        response: response.clone(),
      })),
  }
}

/** Ends the wait for a decision when whoever made the request gives it up. */
function abortion(request: Request): Promise<Decided> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ outcome: abortedBy(request), entry: undefined })
    if (request.signal.aborted) end()
    else request.signal.addEventListener('abort', end, { once: true })
  })
}

function abortedBy({ signal }: Request): Outcome {
  return { type: 'network-error', error: signal.reason }
}

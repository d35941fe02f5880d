import { nameHandler } from '../call-site.ts'
import { print } from '../failure.ts'
import { Candidates } from '../handlers/candidates.ts'
import type { Finalizers } from '../handlers/finalizers.ts'
import type { LayerEntry } from '../handlers/handler-layers.ts'
import type { IncomingRequest } from '../handlers/incoming-request.ts'
import type { Envelope, Protocol } from '../handlers/protocol.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { createCall, failResolver, finishResolver, isResponse, startResolver } from '../handlers/run-resolver.ts'
import { isPromise } from '../is-promise.ts'
import { delay } from '../responses/delay.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { isPassthroughResponse } from '../responses/passthrough.ts'
import { proceed, type Steps } from '../steps.ts'
import { mayAnswerApp } from './app-request.ts'
import { networkErrorOutcome } from './create-outcome.ts'
import { isDocument, modeOfApp } from './document-request.ts'
import { emit } from './emit.ts'
import type { LifeCycleEmitter } from './life-cycle-events.ts'
import type { Network } from './network.ts'
import type { Outcome } from './outcome.ts'
import { readError, toError } from './thrown-error.ts'
import { unhandledOutcome } from './unhandled-outcome.ts'

export type Entry = LayerEntry<RequestHandler>

/**
 * The result of asking the handlers. If there is an `entry` without a response, the handler matched and did not answer.
 */
export interface Asked {
  readonly entry?: Entry | undefined
  readonly response?: Response
  readonly outcome?: Outcome
  /** The protocols whose handlers were asked, if no handler matched. */
  readonly askedProtocols?: ReadonlySet<Protocol>
}

/** A part of a request that contains several others, such as an operation of a batch. */
interface Part {
  /** Only handlers of this protocol answer it. */
  readonly protocol: Protocol | undefined
  /** Called each time a handler matches. */
  readonly onMatch: () => void
}

/**
 * Asks the handlers that could answer, one after the other, until one does.
 *
 * @param part set for a part of a request that was already unwrapped
 */
export function* askHandlers(
  incoming: IncomingRequest,
  network: Network,
  finalizers: Finalizers,
  part?: Part,
): Steps<Asked> {
  const signal = incoming.fullRequest?.signal
  let asked: Protocol[] | undefined
  let unwrapped: Set<Protocol> | undefined
  const mode = modeOfApp(incoming, network.pages)
  let lastMatch: Entry | undefined

  const candidates = new Candidates(network.layers, incoming)
  for (;;) {
    const next = candidates.next()
    const entry: Entry | undefined = isPromise(next) ? yield next : next
    if (!entry) break
    const { handler } = entry
    const { protocol } = handler
    if (signal?.aborted) break
    if (!canAnswer(entry) || (part && protocol !== part.protocol)) continue
    if (mode && !mayAnswerApp(handler, incoming, mode, network.pages)) continue
    if (protocol && !asked?.includes(protocol)) (asked ??= []).push(protocol)
    let response: Response | undefined
    try {
      const wrapped = protocol && !part && !unwrapped?.has(protocol) ? handler.unwrap(incoming) : null
      const envelope: Envelope | null = isPromise(wrapped) ? yield wrapped : wrapped
      if (protocol && envelope) {
        ;(unwrapped ??= new Set()).add(protocol)
        const answered: Asked | undefined = yield answerEnvelope(incoming, envelope, entry, network, finalizers)
        if (answered) return answered
      }
      const matched = handler.match(incoming)
      const extras: object | null = isPromise(matched) ? yield matched : matched
      // Another request may have been answered while this one was matched.
      if (extras === null || !canAnswer(entry)) {
        if (!network.progress.isEmpty) {
          network.progress.call({ type: 'mismatch', requestId: incoming.id, entry, incoming })
        }
        continue
      }
      lastMatch = entry
      part?.onMatch()
      reportMatch(entry, incoming, network, extras)
      if (entry.override?.delay) {
        yield delay(entry.override.delay)
        // Another request may have been answered meanwhile.
        if (!canAnswer(entry)) continue
      }
      if (entry.override?.networkError) return { outcome: networkErrorOutcome(incoming, handler), entry }
      const call = createCall(handler, incoming, finalizers)
      let result: unknown
      try {
        result = startResolver(call, extras)
        if (isPromise(result)) result = yield result
      } catch (thrown) {
        result = failResolver(call, thrown)
      }
      result = finishResolver(call, result)
      response = isPromise(result) ? yield result : (result as Response | undefined)
    } catch (thrown) {
      // The client aborted the request and gets no response. This is not an error of the mock.
      if (signal?.aborted && thrown === signal.reason) break
      response = isResponse(thrown) ? thrown : toErrorResponse(thrown, handler, incoming, network)
    }
    if (!response) network.progress.call({ type: 'no-response', requestId: incoming.id, entry })
    if (!response || signal?.aborted) continue
    if (mode === 'navigate' && isContent(response) && !isDocument(response, incoming.url, network.pages)) continue
    entry.hits += 1
    if (protocol && isContent(response)) {
      const finished = protocol.finish(response, incoming)
      response = isPromise(finished) ? yield finished : finished
    }
    return { response, entry }
  }
  if (lastMatch) return { entry: lastMatch }
  return asked ? { askedProtocols: new Set(asked) } : {}
}

function reportMatch(entry: Entry, incoming: IncomingRequest, { events, progress }: Network, extras: object): void {
  // Without listeners and observers, create nothing.
  if (events.additions().length > 0) emitMatch(entry, incoming, events)
  if (!progress.isEmpty) progress.call({ type: 'match', requestId: incoming.id, entry, incoming, extras })
}

function emitMatch({ handler }: Entry, incoming: IncomingRequest, events: LifeCycleEmitter): void {
  emit(events, 'request:match', () => ({ request: incoming.copy(), requestId: incoming.id, handler }))
}

/** Responds with the status 500. Calls listeners and prints the error, because it is an error of the mock. */
function toErrorResponse(
  thrown: unknown,
  handler: RequestHandler,
  incoming: IncomingRequest,
  network: Network,
): Response {
  const error = toError(thrown)
  const text = readError(error)
  emit(network.events, 'unhandledException', () => ({ request: incoming.copy(), requestId: incoming.id, error }))
  // Of a value that is not an error, the stack is that of the engine.
  const stack = error === thrown ? text.stack : undefined
  network.progress.call({ type: 'throw', requestId: incoming.id, error: { ...text, stack } })
  const report =
    `Failed to answer ${incoming.method} ${incoming.url.href}: the handler ${nameHandler(handler)} threw. ` +
    'The client gets "500 Internal Server Error". See the error.'
  try {
    print.error('US0203', report, thrown)
  } catch {
    // `console.error` itself can throw, for example on a revoked Proxy.
    print.error('US0203', `${report} ${text.name}: ${text.message}`)
  }
  return HttpResponse.json({ ...text, stack }, { status: 500 })
}

/** Returns whether a response is an actual response, and not a marker such as `passthrough()`. */
function isContent(response: Response): boolean {
  return response.type !== 'error' && !isPassthroughResponse(response)
}

/**
 * Asks the handlers of a protocol about each part of a request separately, and joins the responses.
 *
 * @param finder the handler whose protocol knew the envelope
 * @returns `undefined` if no handler answered any part
 */
async function answerEnvelope(
  incoming: IncomingRequest,
  envelope: Envelope,
  finder: Entry,
  network: Network,
  finalizers: Finalizers,
): Promise<Asked | undefined> {
  const { parts } = envelope
  if (parts.length === 0) return { response: await envelope.join([]), entry: finder }
  const { protocol } = finder.handler
  const { id: requestId } = incoming
  const unmatched: [part: IncomingRequest, asked: Asked][] = []
  let undecided = parts.length
  let reported: Promise<Outcome | undefined> | undefined
  // Report the parts that no handler matches before the resolvers of the others have answered: they may take any time.
  // If no handler matches any part, the whole request is reported.
  const decide = (): void => {
    undecided -= 1
    if (undecided === 0 && unmatched.length < parts.length) reported = report()
  }
  const report = async (): Promise<Outcome | undefined> => {
    let failure: Outcome | undefined
    for (const [part, { askedProtocols }] of unmatched) {
      const outcome = await unhandledOutcome(part, network, askedProtocols)
      if (outcome.type === 'network-error') failure ??= outcome
      network.progress.call({ type: 'part', requestId, outcome, part })
    }
    network.progress.call({ type: 'parts-decided', requestId })
    return failure
  }
  network.progress.call({ type: 'parts', requestId })
  const asked = await Promise.all(
    parts.map(async (part) => {
      let isMatched = false
      const onMatch = (): void => {
        if (!isMatched) decide()
        isMatched = true
      }
      const result = await proceed(askHandlers(part, network, finalizers, { protocol, onMatch }))
      if (isMatched) return result
      unmatched.push([part, result])
      decide()
      return result
    }),
  )
  const answered = asked.filter(({ response, outcome }) => response ?? outcome)
  if (answered.length === 0) return undefined
  incoming.readAs ??= { name: `batch ${parts.flatMap(({ readAs }) => readAs?.name ?? []).join(', ')}`, suggestion: '' }
  const failed = answered.find(({ response, outcome }) => outcome ?? response?.type === 'error')
  if (failed) return failed
  const outcome = await reported
  if (outcome) return { outcome }
  const responses = asked.map(({ response }) => (response && isContent(response) ? response : undefined))
  if (responses.every((response) => response === undefined)) return answered[0]
  try {
    return { response: await envelope.join(responses), entry: answered[0]?.entry }
  } catch (error) {
    // The server did not answer the parts that no handler answered.
    return { outcome: { type: 'network-error', error }, entry: undefined }
  }
}

function canAnswer({ enabled, handler }: Entry): boolean {
  return enabled && !(handler.once && handler.isUsed)
}

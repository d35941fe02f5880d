import type { LayerEntry } from '../handlers/handler-layers.ts'
import type { Envelope, Protocol } from '../handlers/protocol.ts'
import type { RequestHandler, ResolverInfo, StrictRequest } from '../handlers/request-handler.ts'
import { isResponse, runResolver } from '../handlers/run-resolver.ts'
import { delay } from '../responses/delay.ts'
import { isPassthroughResponse } from '../responses/passthrough.ts'
import { networkErrorBy, toErrorResponse } from './answer.ts'
import { isDocument, isDocumentRequest, mayAnswerDocuments } from './document-request.ts'
import type { Finalizers } from './finalizers.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { miss } from './miss.ts'
import type { Network } from './network.ts'
import type { Outcome } from './outcome.ts'

export type Entry = LayerEntry<RequestHandler>

/** What came of asking the handlers. An entry alone: it matched, and left the request to others. */
export interface Asked {
  readonly entry?: Entry | undefined
  readonly response?: Response
  readonly outcome?: Outcome
  /** Where no handler matched: the protocols whose handlers were asked. */
  readonly missedBy?: ReadonlySet<Protocol>
}

/**
 * Asks the handlers that could answer, one after the other, until one does.
 *
 * @param only asks the handlers of this protocol alone, about a part of a request that was unwrapped already
 */
export async function askHandlers(
  incoming: IncomingRequest,
  network: Network,
  finalizers: Finalizers,
  only?: Protocol,
): Promise<Asked> {
  const { events } = network
  let asked: Set<Protocol> | undefined
  let unwrapped: Set<Protocol> | undefined
  const isForDocument = isDocumentRequest(incoming.request)
  let lastMatch: Entry | undefined

  const candidates = network.layers.candidates(incoming)
  for (;;) {
    const next = candidates.next()
    // Waiting for what is there already would cost more than matching, over a thousand handlers.
    const entry = next instanceof Promise ? await next : next
    if (!entry) break
    const { handler } = entry
    const { protocol } = handler
    if (incoming.request.signal.aborted) break
    if (!canAnswer(entry) || (only && protocol !== only)) continue
    if (isForDocument && !mayAnswerDocuments(handler, incoming.baseUrl, network.pages)) continue
    if (protocol) (asked ??= new Set()).add(protocol)
    let response: Response | undefined
    try {
      const wrapped = protocol && !only && !unwrapped?.has(protocol) ? handler.unwrap(incoming) : null
      const envelope = wrapped instanceof Promise ? await wrapped : wrapped
      if (protocol && envelope) {
        ;(unwrapped ??= new Set()).add(protocol)
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
      if (entry.override?.networkError) return { outcome: networkErrorBy(incoming, handler), entry }
      response = await runResolver(handler, createInfo(incoming, extras), finalizers)
    } catch (thrown) {
      response = isResponse(thrown) ? thrown : toErrorResponse(thrown, handler, incoming, network)
    }
    if (!response || incoming.request.signal.aborted) continue
    if (isForDocument && isContent(response) && !isDocument(response, incoming.url, network.pages)) continue
    entry.hits += 1
    if (protocol && isContent(response)) response = await protocol.finish(response, incoming)
    return { response, entry }
  }
  if (lastMatch) return { entry: lastMatch }
  return asked ? { missedBy: asked } : {}
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

/** On what a resolver is told: what its getters read. */
const told: unique symbol = Symbol('told')

interface Told {
  readonly [told]: { readonly incoming: IncomingRequest; request: StrictRequest<unknown> | undefined }
}

/**
 * Properties that are read when a resolver asks for them: most do not, and a copy of a request's body costs more than all
 * else. V8 keeps a getter for as long as it keeps the shape of the object, that is until a full garbage collection. So all
 * requests share these; a closure for each request would keep that request.
 */
const lazily = {
  request: {
    get(this: Told): Request {
      const { [told]: state } = this
      return (state.request ??= state.incoming.copyWithCookies())
    },
    enumerable: true,
    configurable: true,
  },
  cookies: {
    get(this: Told): Record<string, string> {
      return this[told].incoming.cookies
    },
    enumerable: true,
    configurable: true,
  },
}

const doNothing = (): void => {}

/** What a resolver is told of a request. */
export function createInfo(incoming: IncomingRequest, extras: object): ResolverInfo {
  const info = { requestId: incoming.id, url: incoming.url, finalize: doNothing, ...extras }
  Object.defineProperty(info, told, { value: { incoming, request: undefined } })
  if (!('request' in extras)) Object.defineProperty(info, 'request', lazily.request)
  if (!('cookies' in extras)) Object.defineProperty(info, 'cookies', lazily.cookies)
  return info as unknown as ResolverInfo
}

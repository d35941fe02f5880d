import type { BareRequest, IncomingRequest, RequestBody } from '../core/handlers/incoming-request.ts'
import { passthroughOutcome } from '../core/network/create-outcome.ts'
import { type AskOthers, handleInSteps, isIgnorable } from '../core/network/handle-request.ts'
import type { Network } from '../core/network/network.ts'
import type { Outcome } from '../core/network/outcome.ts'
import { proceed, type Steps } from '../core/steps.ts'
import { traceServer } from './trace-server.ts'

/** The networks that intercept in this process. The network that started last is asked first. */
let networks: readonly Network[] = []

/** Adds a network that decides about this process's requests. Returns a function that removes it. */
export function startListening(network: Network): () => void {
  networks = [network, ...networks.filter((other) => other !== network)]
  const endTrace = traceServer(network)
  return () => {
    networks = networks.filter((other) => other !== network)
    endTrace?.()
  }
}

/** Returns whether any network intercepts in this process. */
export function isListening(): boolean {
  return networks.length > 0
}

/** Returns the networks that decide about requests in the current async context, in order. */
export function listeningNetworks(): readonly Network[] {
  return networks.every((network) => network.isConcerned) ? networks : networks.filter((network) => network.isConcerned)
}

/**
 * Returns whether no listening network needs a request.
 *
 * @param method upper case
 */
export function isIgnorableByAll(method: string, url: URL): boolean {
  return networks.every((network) => isIgnorable(network, method, url))
}

/**
 * Decides about a request. The first network with a matching handler decides. If no network has one, the request is
 * unhandled, and the policy of each network is applied.
 *
 * @returns the steps to the outcome; `undefined` if no network handles requests of this async context
 */
export function decide(
  request: Request | BareRequest,
  asked: readonly Network[] = listeningNetworks(),
  body?: RequestBody,
): Steps<Outcome> | undefined {
  return ask(asked, 0, false, request, body)
}

/**
 * @param index the position of the network to ask. The rest of the list would be a new list for each request
 * @param wasMatched whether a handler of an earlier network matched and left the request to others
 */
function ask(
  asked: readonly Network[],
  index: number,
  wasMatched: boolean,
  request: Request | BareRequest,
  body: RequestBody | undefined,
): Steps<Outcome> | undefined {
  const network = asked[index]
  if (!network) return undefined
  const isLast = index === asked.length - 1
  if (isLast && !wasMatched) return handleInSteps(request, network, undefined, body)
  const askOthers: AskOthers = async (incoming, matches, applyPolicy) => {
    const isMatched = matches || wasMatched
    const steps = ask(asked, index + 1, isMatched, request, body)
    const other = steps && (await proceed(steps))
    if (other && !isUnhandled(other)) return { outcome: withOnResponse(other, incoming, network) }
    // A handler of an earlier network matched: that network applies its policy.
    const own = wasMatched && !matches ? passthroughOutcome('unhandled', incoming, network) : await applyPolicy()
    // Every network applies its policy to unhandled requests. If one network fails the request, it fails.
    const outcome = other && own.type !== 'network-error' ? withOnResponse(other, incoming, network) : own
    return isMatched ? { outcome } : { outcome, isUnhandled: true }
  }
  return handleInSteps(request, network, undefined, body, askOthers)
}

/** Returns whether no handler matched, for any kind of outcome. */
function isUnhandled(outcome: Outcome): boolean {
  return outcome.type === 'unhandled' || (outcome.type === 'network-error' && outcome.isUnhandled === true)
}

/** Adds this network's response listeners to the outcome of another network. */
function withOnResponse(other: Outcome, incoming: IncomingRequest, network: Network): Outcome {
  if (other.type !== 'passthrough' && other.type !== 'unhandled') return other
  const own = passthroughOutcome(other.type, incoming, network)
  const { onResponse } = other
  if (!own.onResponse || !onResponse) return { type: other.type, onResponse: own.onResponse ?? onResponse }
  return {
    type: other.type,
    onResponse: (response) => {
      onResponse(response.clone())
      own.onResponse?.(response)
    },
  }
}

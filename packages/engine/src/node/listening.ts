import { passthroughOutcome } from '../core/network/create-outcome.ts'
import { type AskOthers, handleRequest, isIgnorable } from '../core/network/handle-request.ts'
import type { IncomingRequest, RequestBody } from '../core/network/incoming-request.ts'
import type { Network } from '../core/network/network.ts'
import type { Outcome } from '../core/network/outcome.ts'
import { traceServer } from './trace-server.ts'

/** The networks that intercept in this process. For every client, the one that started last is asked first. */
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

/** Whether any network intercepts in this process. */
export function isListening(): boolean {
  return networks.length > 0
}

/** The networks that decide about requests in the current async context, in order. */
export function listeningNetworks(): readonly Network[] {
  return networks.every((network) => network.isConcerned) ? networks : networks.filter((network) => network.isConcerned)
}

/**
 * Whether no listening network needs a request.
 *
 * @param method upper case
 */
export function isIgnorableByAll(method: string, url: URL): boolean {
  return networks.every((network) => isIgnorable(network, method, url))
}

/**
 * Decides about a request by the networks that listen, or others: the first that has a handler for it decides. It is unhandled only
 * when none has one; then the policy of each is applied.
 *
 * @returns the outcome; nothing where no network is concerned with it
 */
export function decide(
  request: Request,
  asked: readonly Network[] = listeningNetworks(),
  body?: RequestBody,
): Promise<Outcome> | undefined {
  return ask(asked, false, request, body)
}

/** @param wasMatched whether a handler of the networks before matched, and left the request to others */
function ask(
  [network, ...others]: readonly Network[],
  wasMatched: boolean,
  request: Request,
  body: RequestBody | undefined,
): Promise<Outcome> | undefined {
  if (!network) return undefined
  if (others.length === 0 && !wasMatched) return handleRequest(request, network, undefined, body)
  const askOthers: AskOthers = async (incoming, matches, applyPolicy) => {
    const isMatched = matches || wasMatched
    const other = await ask(others, isMatched, request, body)
    if (other && !isUnhandled(other)) return { outcome: withOnResponse(other, incoming, network) }
    // A handler of an earlier network matched: that network applies its policy.
    const own = wasMatched && !matches ? passthroughOutcome('unhandled', incoming, network) : await applyPolicy()
    // Every network applies its policy to unhandled requests. If one network fails the request, it fails.
    const outcome = other && own.type !== 'network-error' ? withOnResponse(other, incoming, network) : own
    return isMatched ? { outcome } : { outcome, isUnhandled: true }
  }
  return handleRequest(request, network, undefined, body, askOthers)
}

/** Whether no handler matched, for any outcome. */
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

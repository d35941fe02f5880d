import { handleRequest, type AskOthers } from '../core/network/handle-request.ts'
import type { IncomingRequest } from '../core/network/incoming-request.ts'
import { isIgnorable } from '../core/network/is-ignorable.ts'
import type { Network } from '../core/network/network.ts'
import type { Outcome } from '../core/network/outcome.ts'
import { performed } from '../core/network/performed.ts'
import type { RequestBody } from '../core/network/request-body.ts'

/** The networks that intercept in this process. The one that started last is asked first, whatever client requests. */
let networks: readonly Network[] = []

/** Has a network decide about this process's requests. Returns what ends that. */
export function startListening(network: Network): () => void {
  networks = [network, ...networks.filter((other) => other !== network)]
  return () => {
    networks = networks.filter((other) => other !== network)
  }
}

/** Whether any network intercepts in this process. */
export function isListening(): boolean {
  return networks.length > 0
}

/** The networks that decide about a request that is made now, in the order in which they are asked. */
export function listeningNetworks(): readonly Network[] {
  return networks.every((network) => network.isConcerned) ? networks : networks.filter((network) => network.isConcerned)
}

/**
 * Whether no listening network wants to know of a request.
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
  const askOthers: AskOthers = async (incoming, matches, missed) => {
    const isMatched = matches || wasMatched
    const other = await ask(others, isMatched, request, body)
    if (other && !isUnhandled(other)) return { outcome: withTell(other, incoming, network) }
    if (isMatched) return { outcome: performed('passthrough', incoming, network) }
    const own = await missed()
    // Every network applies its policy to what nobody handles; one that fails the request is enough.
    return { outcome: other && own.type !== 'network-error' ? withTell(other, incoming, network) : own, isMiss: true }
  }
  return handleRequest(request, network, undefined, body, askOthers)
}

/** Whether no handler matched, whatever became of the request then. */
function isUnhandled(outcome: Outcome): boolean {
  return outcome.type === 'unhandled' || (outcome.type === 'network-error' && outcome.isUnhandled === true)
}

/** What another network decided, with this one's listeners told of the response. */
function withTell(other: Outcome, incoming: IncomingRequest, network: Network): Outcome {
  if (other.type !== 'passthrough' && other.type !== 'unhandled') return other
  const own = performed(other.type, incoming, network)
  const { tell } = other
  if (!own.tell || !tell) return { type: other.type, tell: own.tell ?? tell }
  return {
    type: other.type,
    tell: (response) => {
      tell(response.clone())
      own.tell?.(response)
    },
  }
}

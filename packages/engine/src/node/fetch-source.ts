import { checkIntegrity } from '../core/network/check-integrity.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { isIgnorable } from '../core/network/is-ignorable.ts'
import type { Network } from '../core/network/network.ts'
import { isRedirect } from '../core/network/redirect.ts'
import { pageUrl } from '../core/routing/page-url.ts'
import { endTurn } from './fair-turns.ts'
import { FetchCall } from './fetch-call.ts'
import { toFetchedResponse, toRedirectedResponse } from './fetched-response.ts'
import { unwatchedDispatcher } from './global-dispatcher.ts'
import { isNodeFetch, markAsNodeFetch, type FetchInput, type NodeFetch, type NodeRequestInit } from './node-fetch.ts'

/**
 * Brings in what this process requests by `fetch`, some thirty times faster than where sockets are watched. It stands
 * in for Node's own `fetch` alone: another one (happy-dom's, a polyfill) is built on clients whose sockets are watched.
 */
export class FetchSource {
  readonly #network: Network
  #stop: (() => void) | undefined

  constructor(network: Network) {
    this.#network = network
  }

  start(): void {
    // Jest has getters in the place of Node's globals, until they are read.
    void Reflect.get(globalThis, 'fetch')
    const native = Object.getOwnPropertyDescriptor(globalThis, 'fetch')
    const value: unknown = native?.value
    if (this.#stop || !native || !isNodeFetch(value)) return
    let isOn = true
    const replacement = createFetch(this.#network, value, () => isOn)
    markAsNodeFetch(replacement)
    Object.defineProperty(globalThis, 'fetch', { ...native, value: replacement })
    this.#stop = () => {
      // Whoever took it meanwhile has Node's own fetch again, and what somebody else put there stays.
      isOn = false
      if (globalThis.fetch === replacement) Object.defineProperty(globalThis, 'fetch', native)
    }
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}

function createFetch(network: Network, native: NodeFetch, isOn: () => boolean): NodeFetch {
  return async function fetch(input, ...[init]) {
    const call = isOn() && leavesDispatcher(init) ? toCall(input, init) : undefined
    // What is no request to mock, or none at all, gets the platform's own answer.
    return call ? run(call, network, native) : native(isOn() ? toAbsolute(input) : input, init)
  }
}

/**
 * Whether a call leaves it to the process what performs it. What somebody chose is to be used, by sockets that are
 * watched: the mocks of such a call are found there.
 */
function leavesDispatcher(init: NodeRequestInit | undefined): boolean {
  const ours = unwatchedDispatcher()
  const chosen = init?.dispatcher
  // The later of two servers performs by the `fetch` of the first, with this dispatcher.
  return ours !== undefined && (chosen === undefined || chosen === ours)
}

function toCall(input: FetchInput, init: NodeRequestInit | undefined): FetchCall | undefined {
  try {
    const text = input instanceof Request ? input.url : String(input)
    const url = URL.parse(text, pageUrl())
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
    return new FetchCall(url, typeof input === 'string' ? url.href : input, init)
  } catch {
    return undefined
  }
}

/** Node's own fetch knows of no page that a URL could be relative to. */
function toAbsolute(input: FetchInput): FetchInput {
  if (typeof input !== 'string' || URL.canParse(input)) return input
  return URL.parse(input, pageUrl())?.href ?? input
}

/** @throws as `fetch` does */
async function run(first: FetchCall, network: Network, native: NodeFetch): Promise<Response> {
  let call = first
  for (;;) {
    const { response, isMocked } = await answer(call, network, native)
    const isUnwanted = isRedirect(response) && call.redirect === 'error'
    if (isUnwanted) throw networkError(new Error('unexpected redirect'))
    if (!isRedirect(response) || call.redirect === 'manual' || !response.headers.has('location')) {
      if (isMocked) {
        const fetched = toFetchedResponse(response, call)
        if (call.integrity !== '') await checkIntegrity(fetched.clone(), call.integrity, native)
        return fetched
      }
      return call.redirects > 0 ? toRedirectedResponse(response, call) : response
    }
    void response.body?.cancel()
    try {
      call = call.redirected(response)
    } catch (error) {
      throw networkError(error)
    }
  }
}

async function answer(
  call: FetchCall,
  network: Network,
  native: NodeFetch,
): Promise<{ response: Response; isMocked: boolean }> {
  let tell: ((response: Response) => void) | undefined
  if (!isIgnorable(network, call.method, call.url)) {
    const { request, isAbortable } = call
    // The caller's next line may abort it.
    await Promise.resolve()
    if (isAbortable) request.signal.throwIfAborted()
    const outcome = await handleRequest(request, network, undefined, call.body)
    if (outcome.type === 'mocked' || outcome.type === 'network-error') {
      const turn = endTurn()
      if (turn) await turn
      if (isAbortable) request.signal.throwIfAborted()
      if (outcome.type === 'mocked') return { response: outcome.response, isMocked: true }
      throw networkError(outcome.error)
    }
    tell = outcome.tell
  }
  const response = await call.perform(native)
  tell?.(response.clone())
  return { response, isMocked: false }
}

/** How Node's `fetch` fails where there is no response. */
function networkError(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause })
}

import { withBody } from '../core/handlers/finalizers.ts'
import { withUrl } from '../core/network/create-outcome.ts'
import type { Network } from '../core/network/network.ts'
import { Request } from '../core/platform.ts'
import { isBypassed, removeBypassMark } from '../core/responses/bypass-marks.ts'
import { carryOut, type NetworkHandle, type Source } from '../core/source.ts'
import { decide } from './decide.ts'
import { sendDecided } from './decided-requests.ts'
import { replaceProperties } from './replace-properties.ts'
import { hideFormType } from './request-body.ts'

type Fetch = typeof globalThis.fetch

/** Brings in the requests of React Native's `fetch`. */
export class FetchSource implements Source {
  readonly name = 'fetch'
  #replacement: Fetch | undefined
  #restore: (() => void) | undefined

  start({ '~network': network }: NetworkHandle): void {
    if (this.#replacement && globalThis.fetch === this.#replacement) return
    this.stop()
    const native = globalThis.fetch
    const replacement = createFetch(network, native, () => this.#replacement === replacement)
    this.#replacement = replacement
    this.#restore = replaceProperties(globalThis, { fetch: replacement })
  }

  /** Code that kept the replacement reaches the network from then on. */
  stop(): void {
    this.#restore?.()
    this.#restore = this.#replacement = undefined
  }
}

/** Creates a `fetch` that handlers answer. It returns a copy: a generator may repeat its last response. */
function createFetch(network: Network, native: Fetch, isOn: () => boolean): Fetch {
  return async function fetch(input, init) {
    if (!isOn()) return native(input, init)
    // React Native's `Request` takes the body from the given request.
    const given = new Request(input instanceof Request ? input.clone() : input, init)
    if (!/^https?:/i.test(given.url)) return native(input, init)
    const { request, outcome } = await decide(given, network)
    return carryOut<Response | Promise<Response>>(outcome, {
      respond: (mocked) => withUrl(request.method === 'HEAD' ? withBody(mocked, null) : mocked.clone(), request.url),
      fail(error) {
        throw request.signal?.aborted ? abortError() : networkError(error)
      },
      async passthrough({ onResponse }) {
        const isChanged = request !== given || isBypassed(request.headers)
        removeBypassMark(request.headers)
        hideFormType(request)
        const passed = await sendDecided(() => (isChanged ? native(request) : native(input, init)))
        onResponse?.(passed.clone())
        return passed
      },
    })
  }
}

/** The errors of React Native's `fetch`, with its messages. */
function networkError(cause: unknown): TypeError {
  return new TypeError('Network request failed', { cause })
}

function abortError(): Error {
  return Object.assign(new Error('Aborted'), { name: 'AbortError' })
}

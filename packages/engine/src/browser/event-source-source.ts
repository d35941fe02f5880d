import { isIgnorable } from '../core/network/is-ignorable.ts'
import type { Network } from '../core/network/network.ts'
import { parseUrl } from '../core/routing/parse-url.ts'
import { createEventSourceClass } from '../sse/event-source-class.ts'
import { getGate, getPageState } from './gate/gate.ts'
import { isNeverHeld } from './gate/never-held.ts'

/**
 * Brings in the event streams that the page's scripts ask for by `EventSource`, as requests by `fetch`.
 *
 * A service worker sees the requests of the platform's `EventSource` too, but without the `Last-Event-ID` (Chromium
 * 150 keeps that from it), so that a handler could not go on where the stream ended.
 */
export class EventSourceSource {
  /**
   * Takes the place of the page's `EventSource`; it is the platform's for streams that are none of the handlers' business.
   * Nothing, where the platform has none (jsdom).
   */
  readonly carrier: typeof EventSource | undefined
  #isOn = true

  /**
   * @param fetch what the handlers see
   * @param seesAll whether nobody else tells the network of the requests that no handler could match
   */
  constructor(network: Network, fetch: typeof globalThis.fetch, seesAll: boolean) {
    const native = getGate()?.natives.EventSource ?? (globalThis as { EventSource?: typeof EventSource }).EventSource
    if (!native) return
    const isWanted = (url: URL): boolean =>
      seesAll
        ? !isIgnorable(network, 'GET', url)
        : network.layers.couldAnswer({ method: 'GET', url, baseUrl: network.baseUrl })
    this.carrier = createCarrier(native, createEventSourceClass(fetch), (given) => {
      const url = this.#isOn ? parseUrl(String(given), document.baseURI) : undefined
      return url !== undefined && !isNeverHeld(url, getPageState().neverHeld ?? [], location.href) && isWanted(url)
    })
  }

  /** Ends it: what was taken of the carrier stays in use, and is the platform's from then on. */
  stop(): void {
    this.#isOn = false
  }
}

function createCarrier(
  native: typeof EventSource,
  Fetched: typeof EventSource,
  isFetched: (url: unknown) => boolean,
): typeof EventSource {
  class Carrier extends native {
    constructor(...args: ConstructorParameters<typeof EventSource>) {
      if (isFetched(args[0])) return new Fetched(...args)
      if (new.target === Carrier) return new native(...args)
      super(...args)
    }
  }
  Object.defineProperty(Carrier, Symbol.hasInstance, {
    value: (value: unknown) => value instanceof native || value instanceof Fetched,
  })
  return Object.defineProperty(Carrier, 'name', { value: native.name })
}

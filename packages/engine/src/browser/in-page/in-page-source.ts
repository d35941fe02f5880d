import type { Network } from '../../core/network/network.ts'
import { getGate, type Replacements } from '../gate/gate.ts'
import { createFetch } from './in-page-fetch.ts'
import { createSendBeacon } from './in-page-send-beacon.ts'

/**
 * Brings in the requests from the page's scripts if there is no service worker: `fetch`, `XMLHttpRequest` and
 * `sendBeacon`. It does not see requests from elements (images, styles).
 */
export class InPageSource {
  /** The replacements of the globals. */
  readonly replacements: Pick<Replacements, 'fetch' | 'XMLHttpRequest' | 'sendBeacon'>
  /** Stops the source. Code that kept a reference to a replacement reaches the platform from then on. */
  readonly stop: () => void

  private constructor(replacements: InPageSource['replacements'], stop: () => void) {
    this.replacements = replacements
    this.stop = stop
  }

  static async start(network: Network): Promise<InPageSource> {
    const loaded = await import('./xml-http-request/create-xml-http-request.ts')
    const natives = getGate()?.natives ?? globalThis
    let isOn = true
    const fetch = createFetch(network, natives.fetch, () => isOn)
    const XMLHttpRequest = loaded.createXMLHttpRequest(network, natives.XMLHttpRequest, fetch, () => isOn)
    return new InPageSource({ fetch, XMLHttpRequest, sendBeacon: createSendBeacon(fetch) }, () => {
      isOn = false
    })
  }
}

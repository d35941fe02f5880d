import type { Network } from '../core/network/network.ts'
import { getGate, type Carriers } from './gate/gate.ts'
import { createFetch } from './in-page-fetch.ts'
import { createSendBeacon } from './in-page-send-beacon.ts'

/**
 * Brings in what the page's scripts request, where there is no service worker: `fetch`, `XMLHttpRequest` and
 * `sendBeacon`. Elements' own requests (images, styles) go unseen.
 */
export class InPageSource {
  /** What takes the globals' places. */
  readonly carriers: Pick<Carriers, 'fetch' | 'XMLHttpRequest' | 'sendBeacon'>
  /** Ends it: what was taken of the carriers stays in use, and is the platform's from then on. */
  readonly stop: () => void

  private constructor(carriers: InPageSource['carriers'], stop: () => void) {
    this.carriers = carriers
    this.stop = stop
  }

  static async start(network: Network): Promise<InPageSource> {
    const { createXMLHttpRequest } = await import('./xml-http-request/create-xml-http-request.ts')
    const natives = getGate()?.natives ?? globalThis
    let isOn = true
    const fetch = createFetch(network, natives.fetch, () => isOn)
    const XMLHttpRequest = createXMLHttpRequest(network, natives.XMLHttpRequest, fetch, () => isOn)
    return new InPageSource({ fetch, XMLHttpRequest, sendBeacon: createSendBeacon(fetch) }, () => {
      isOn = false
    })
  }
}

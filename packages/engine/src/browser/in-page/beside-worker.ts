import { couldAnswer } from '../../core/handlers/candidates.ts'
import type { Network } from '../../core/network/network.ts'
import { decidedMark } from '../../core/responses/bypass.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'
import type { Source } from '../../core/source.ts'
import { getGate, type Replacements } from '../gate/gate.ts'
import { createFetch } from './in-page-fetch.ts'
import { createXMLHttpRequest } from './xml-http-request/create-xml-http-request.ts'

/** Answers requests from scripts in the page. A service worker answers the others. */
interface PageSource extends Pick<Source, 'stop'> {
  readonly replacements: Pick<Replacements, 'fetch' | 'XMLHttpRequest'>
}

/**
 * Answers `fetch` and `XMLHttpRequest` in the page if a handler could match. All other requests go to the worker.
 *
 * @param send the `fetch` whose requests the worker gets
 */
export function answerBesideWorker(network: Network, send: typeof globalThis.fetch): PageSource {
  let isOn = true
  const isMockable = (method: string, address: string): boolean => {
    const url = isOn ? parseUrl(address, document.baseURI) : undefined
    return url !== undefined && couldAnswer(network, method.toUpperCase(), url)
  }
  const inPageFetch = createFetch(
    network,
    (input, init) => {
      // Without the mark, the worker would ask the handlers again.
      if (isOn && input instanceof Request) input.headers.append('accept', decidedMark)
      return send(input, init)
    },
    () => isOn,
  )
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { method, url } = input instanceof Request ? input : { method: 'GET', url: String(input) }
    return (isMockable(init?.method ?? method, url) ? inPageFetch : send)(input, init)
  }
  const Native = getGate()?.natives.XMLHttpRequest ?? XMLHttpRequest
  return {
    replacements: { fetch, XMLHttpRequest: createXMLHttpRequest(network, Native, inPageFetch, () => isOn, true) },
    stop() {
      isOn = false
    },
  }
}

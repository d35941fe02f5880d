import type { Network } from '../../core/network/network.ts'
import { decidedMark } from '../../core/responses/bypass.ts'
import { webSocketEntries } from '../../ws/web-socket-side.ts'
import { getGate } from '../gate/gate.ts'

/**
 * Reports a web worker whose WebSockets handlers cannot take, if there are such handlers.
 *
 * @param url of its script, as the app passed it
 */
export async function watchWebWorker(url: string, network: Network): Promise<void> {
  if (webSocketEntries(network).length === 0) return
  const { fetch } = getGate()?.natives ?? globalThis
  try {
    const { href, origin } = new URL(url, document.baseURI)
    const isBlob = href.startsWith('blob:')
    if (!isBlob && origin !== location.origin) return
    // Code revokes a `blob:` URL right after it has created the web worker. Handlers must not answer another request.
    const response = fetch(href, isBlob ? {} : { headers: { accept: `*/*, ${decidedMark}` } })
    const { warnOfUnprocessed } = await import('../reports/warn-of-unprocessed.ts')
    warnOfUnprocessed(url, await (await response).text())
  } catch {
    // The platform reports a script that cannot be loaded. A page that is left loads no files.
  }
}

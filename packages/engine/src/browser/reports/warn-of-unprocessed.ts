import { print } from '../../core/failure.ts'
import type { Network } from '../../core/network/network.ts'
import { decidedMark } from '../../core/responses/bypass.ts'
import { webSocketEntries } from '../../ws/web-socket-side.ts'
import { getGate } from '../gate/gate.ts'

const warned = new Set<string>()

/**
 * Says on the console, once for each script, that the WebSockets of a web worker reach the network, because no plugin of a build
 * tool has put the code before its script that asks the page. Web workers that open none are not reported.
 *
 * @param address of the script, as the app passed it
 * @param blob the text of a `blob:` script, whose URL code revokes right after it has created the web worker
 */
export async function warnOfUnprocessed(address: string, network: Network, blob?: Promise<string>): Promise<void> {
  const { href, origin } = new URL(address, document.baseURI)
  if (webSocketEntries(network).length === 0 || (!blob && origin !== location.origin)) return
  const script = await (blob ?? read(href)).catch(() => '')
  // Turbopack creates a `blob:` script until Next.js 16.3, which loads those of the app. Vite's client opens a WebSocket to its server.
  const opens = /\bWebSocket(?:Stream)?\b|\bTURBOPACK_/.test(script) && !script.includes('vite-ping')
  const shown = blob ? 'with a blob: URL' : href
  if (!opens || /understudy/i.test(script) || warned.has(shown)) return
  warned.add(shown)
  print.warn(
    'US0623',
    `Failed to mock the WebSockets of the web worker ${shown}: no Understudy plugin processes its script, so they reach ` +
      "the network. Create it with new Worker(new URL('./worker.ts', import.meta.url)), or open the WebSocket in the page.",
  )
}

async function read(url: string): Promise<string> {
  const { fetch } = getGate()?.natives ?? globalThis
  // Handlers must not answer this request, too.
  const response = await fetch(url, { headers: { accept: `*/*, ${decidedMark}` } })
  return response.text()
}

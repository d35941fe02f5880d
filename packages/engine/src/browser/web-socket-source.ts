import type { Network } from '../core/network/network.ts'
import { createWebSocketClass } from '../ws/web-socket-class.ts'
import { getGate, getPageState } from './gate/gate.ts'
import { devServerProtocol, isNeverHeld } from './gate/never-held.ts'

/** Where tools that pages run in connect to, besides dev servers. */
const toolPath = /\/(?:storybook-server-channel|__vitest_\w+__|_next\/webpack-hmr|sockjs-node)\b/

/** Brings in the WebSocket connections of the page's scripts. No service worker sees those. */
export class WebSocketSource {
  /** Takes the place of the page's `WebSocket`. */
  readonly carrier: typeof WebSocket
  #isOn = true
  readonly #network: Network

  constructor(network: Network) {
    this.#network = network
    const native = getGate()?.natives.WebSocket ?? globalThis.WebSocket
    this.carrier = createWebSocketClass(native, (args) => (this.#isOn && !isOfTool(args) ? [network] : []))
  }

  /** Ends it: what was taken of the carrier stays in use, and is the platform's from then on. */
  stop(): void {
    this.#isOn = false
    this.#network.endConnections()
  }
}

/** A dev server's connections carry the mend of a broken handler, whatever URL handlers match. */
function isOfTool([url, protocols]: readonly unknown[]): boolean {
  if ([protocols].flat().some((protocol) => devServerProtocol.test(String(protocol)))) return true
  try {
    const resolved = new URL(String(url), document.baseURI)
    return isNeverHeld(resolved, getPageState().neverHeld ?? [], location.href) || toolPath.test(resolved.pathname)
  } catch {
    return false
  }
}

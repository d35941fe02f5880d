import type { Network } from '../../core/network/network.ts'
import { createWebSocketClass } from '../../ws/web-socket-class.ts'
import type { OpenConnection } from '../../ws/web-socket-side.ts'
import type { startForChromium } from '../chromium/chromium.ts'
import { getGate, getPageState } from '../gate/gate.ts'
import { devServerProtocol, isNeverHeld } from '../gate/never-held.ts'

/** The paths of WebSockets that belong to tools other than dev servers. */
const toolPath = /\/(?:storybook-server-channel|__vitest_\w+__|_next\/webpack-hmr|rsbuild-hmr|sockjs-node|__devtools)\b/

/** Brings in the WebSocket connections of the page's scripts. Service workers do not see them. */
export class WebSocketSource {
  /** Replaces the page's `WebSocket`. */
  readonly replacement: typeof WebSocket
  #isOn = true
  readonly #network: Network
  readonly ofChromium: ReturnType<typeof startForChromium> | undefined

  constructor(network: Network, [openUnhandled, chromium]: SocketCode) {
    this.#network = network
    this.ofChromium = chromium?.startForChromium(network)
    const native = getGate()?.natives.WebSocket ?? globalThis.WebSocket
    const networksOf = (args: readonly unknown[]): Network[] => (this.#isOn && !isOfTool(args) ? [network] : [])
    this.replacement = createWebSocketClass(native, networksOf, openUnhandled)
  }

  /** Stops the source. Code that kept a reference to the replacement reaches the platform's class from then on. */
  stop(): void {
    this.#isOn = false
    this.ofChromium?.stop()
    this.#network.endConnections()
  }
}

/**
 * Returns whether a connection belongs to a dev server. Handlers never get it, because hot updates of broken handlers
 * arrive there.
 */
export function isOfTool([url, protocols]: readonly unknown[]): boolean {
  if ([protocols].flat().some((protocol) => devServerProtocol.test(String(protocol)))) return true
  try {
    const resolved = new URL(String(url), document.baseURI)
    return isNeverHeld(resolved, getPageState().neverHeld ?? [], location.href) || toolPath.test(resolved.pathname)
  } catch {
    return false
  }
}

/** Code that a {@link WebSocketSource} needs: the first parameter see {@link createWebSocketClass}, and the code for Chromium. */
type SocketCode = readonly [
  openUnhandled: OpenConnection,
  chromium?: typeof import('../chromium/chromium.ts') | undefined,
]

/** Loads what a {@link WebSocketSource} needs. */
export function loadSocketCode(network: Network): Promise<SocketCode> {
  return Promise.all([
    loadOpenUnhandled(network),
    'WebSocketStream' in globalThis ? import('../chromium/chromium.ts') : undefined,
  ])
}

/**
 * Loads the code that applies a network's policy to connections that no handler takes. If the policy only warns, the
 * code is loaded with the first such connection, because most pages have none.
 */
async function loadOpenUnhandled({ unhandled }: Network): Promise<OpenConnection> {
  if (unhandled.decides) return (await import('../../ws/open-connection.ts')).openConnection
  // The browser cancels the loading of the file when the page unloads.
  return (call) =>
    void import('../../ws/report-connection.ts').then(
      ({ reportCall }) => reportCall(call),
      () => {},
    )
}

import type { Handler } from '../../core/handlers/request-handler.ts'
import { Network } from '../../core/network/network.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../../core/unhandled/unhandled-request.ts'
import { openConnection } from '../open-connection.ts'
import { createWebSocketClass } from '../web-socket-class.ts'

/** Makes handlers answer the connections of this runtime's `WebSocket`, in Node and in pages. */
export function intercept(
  handlers: readonly Handler[],
  options: UnhandledOptions = { onUnhandledRequest: 'bypass' },
): { network: Network; native: typeof WebSocket; stop: () => void } {
  const network = new Network(handlers, { unhandled: readUnhandledPolicy(options) })
  const native = globalThis.WebSocket
  globalThis.WebSocket = createWebSocketClass(native, () => [network], openConnection)
  return {
    network,
    native,
    stop() {
      globalThis.WebSocket = native
    },
  }
}

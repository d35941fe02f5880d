import type { Network } from '../core/network/network.ts'
import { replaceGlobalPool } from './global-dispatcher.ts'
import { isListening } from './listening.ts'
import { watchPageRequests } from './page-credentials.ts'
import { watchSockets } from './sockets/watch-sockets.ts'

let endWatching: ((network: Network) => void) | undefined

/**
 * Brings in what the clients of this process request over sockets: `http`, `https`, undici and all that is built on
 * them, and a page-like `XMLHttpRequest`.
 */
export class InterceptorsSource {
  readonly #network: Network
  #stop: (() => void) | undefined

  constructor(network: Network) {
    this.#network = network
  }

  start(): void {
    if (this.#stop) return
    endWatching ??= watchSockets()
    const restoreGlobalPool = replaceGlobalPool()
    const endPageRequests = watchPageRequests()
    this.#stop = () => {
      restoreGlobalPool()
      endPageRequests()
      if (isListening()) return
      endWatching?.(this.#network)
      endWatching = undefined
    }
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}

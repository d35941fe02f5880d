import type { Network } from '../../core/network/network.ts'
import type { NetworkHandle, Source } from '../../core/source.ts'
import { isListening } from '../listening.ts'
import { replaceGlobalPool } from './global-dispatcher.ts'
import { watchPageRequests } from './page-credentials.ts'
import { watchSockets } from './watch-sockets.ts'

let endWatching: ((network: Network) => void) | undefined

/**
 * Brings in what the clients of this process request over sockets: `http`, `https`, undici and all that is built on
 * them, and a page-like `XMLHttpRequest`.
 */
export class InterceptorsSource implements Source {
  readonly name = 'sockets'
  #stop: (() => void) | undefined

  start({ '~network': network }: NetworkHandle): void {
    if (this.#stop) return
    endWatching ??= watchSockets()
    const restoreGlobalPool = replaceGlobalPool()
    const endPageRequests = watchPageRequests()
    this.#stop = () => {
      restoreGlobalPool()
      endPageRequests()
      if (isListening()) return
      endWatching?.(network)
      endWatching = undefined
    }
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}

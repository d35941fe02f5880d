import type { Network } from '../../core/network/network.ts'
import type { NetworkHandle, Source } from '../../core/source.ts'
import { isListening } from '../listening.ts'
import { replaceGlobalPool } from './global-dispatcher.ts'
import { watchPageRequests } from './page-credentials.ts'
import { watchSockets } from './watch-sockets.ts'

let endWatching: ((network: Network) => void) | undefined

/**
 * Brings in the requests of this process over sockets: of `http`, `https`, undici, clients built on them, and the
 * `XMLHttpRequest` of jsdom and happy-dom.
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

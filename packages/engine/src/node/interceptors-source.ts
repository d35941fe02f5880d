import { replaceGlobalPool } from './global-dispatcher.ts'
import { isListening } from './listening.ts'
import { watchPageRequests } from './page-credentials.ts'
import { watchSockets } from './sockets/watch-sockets.ts'

let endWatching: (() => void) | undefined

/**
 * Brings in what the clients of this process request over sockets: `http`, `https`, undici and all that is built on
 * them, and a page-like `XMLHttpRequest`.
 */
export class InterceptorsSource {
  #stop: (() => void) | undefined

  start(): void {
    if (this.#stop) return
    endWatching ??= watchSockets()
    const restoreGlobalPool = replaceGlobalPool()
    const endPageRequests = watchPageRequests()
    this.#stop = () => {
      restoreGlobalPool()
      endPageRequests()
      if (isListening()) return
      endWatching?.()
      endWatching = undefined
    }
  }

  stop(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}

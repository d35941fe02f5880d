import { createId } from '../core/create-id.ts'
import {
  isMessageOfPage,
  pageLock,
  socketChannel,
  type MessageOfPage,
  type MessageOfWorker,
} from './socket-messages.ts'

export interface SocketChannelEvents {
  receive(message: MessageOfPage): void
  /** The page has closed. */
  lose(): void
}

/** The end of a connection's channel in the web worker. */
export class SocketChannel {
  readonly name: string = socketChannel + createId()
  readonly #events: SocketChannelEvents
  readonly #channel = openChannel(this.name)
  readonly #released = new AbortController()
  /** The last message of the web worker, which the page may not have received. */
  #end: MessageOfWorker | undefined

  constructor(events: SocketChannelEvents) {
    this.#events = events
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isMessageOfPage(data)) return
      // The page answers the end of the connection with this message, too.
      if (data.type === 'close') this.release()
      // The browser may not yet have known the page's channel when the connection ended.
      else if (this.#end) this.post(this.#end)
      this.#events.receive(data)
    })
  }

  /** Holds the lock by which the page sees that the web worker exists. Returns `false` if the browser has none. */
  async hold(): Promise<boolean> {
    const { locks } = navigator as { locks?: LockManager }
    if (!locks) return false
    const { signal } = this.#released
    return new Promise((resolve) => {
      const hold = (): Promise<void> => {
        resolve(true)
        return new Promise((release) => signal.addEventListener('abort', () => release()))
      }
      locks.request(this.name, hold).catch(() => resolve(false))
    })
  }

  /** Call this when the page takes the connection. */
  begin(): void {
    // The connection has ended before the page listened.
    if (this.#end) this.post(this.#end)
    const { locks } = navigator as { locks?: LockManager }
    const { signal } = this.#released
    locks?.request(pageLock(this.name), { signal }, () => this.#lose()).catch(() => {})
  }

  post(message: MessageOfWorker): void {
    if (!this.#released.signal.aborted) this.#channel?.postMessage(message)
  }

  /** Sends the last message. The page answers with its own, and until then, the lock is held. */
  end(message: MessageOfWorker): void {
    this.#end = message
    this.post(message)
  }

  release(): void {
    this.#released.abort()
    this.#channel?.close()
  }

  #lose(): void {
    this.release()
    this.#events.lose()
  }
}

/** `undefined`: the browser refuses the channel (Firefox, with site data blocked). Then it has no service worker either. */
function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

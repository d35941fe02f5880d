/** What messages between a network and its panels go through. Anything that carries plain data will do. */
export interface InspectionPort {
  send(message: unknown): void
  /** Calls a listener with every message of others; its own may come back, and are ignored. Returns what ends that. */
  listen(listener: (message: unknown) => void): () => void
}

/** What `BroadcastChannel`, `MessagePort` and `Worker` have in common. */
export interface MessageTarget {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  /** Only a `MessagePort` has this method. It holds its messages until the call. */
  start?(): void
}

/**
 * Makes a port of a `BroadcastChannel`, a `MessagePort` or the like. The code that created it closes it.
 *
 * @example
 * const port = toInspectionPort(new BroadcastChannel('understudy'))
 */
export function toInspectionPort(target: MessageTarget): InspectionPort {
  return {
    send: (message) => target.postMessage(message),
    listen(listener) {
      const listenToEvents = ({ data }: { readonly data: unknown }): void => listener(data)
      target.addEventListener('message', listenToEvents)
      target.start?.()
      return () => target.removeEventListener('message', listenToEvents)
    },
  }
}

/** The channel for messages between a network and its panels. It can be anything that sends plain data. */
export interface InspectionPort {
  send(message: unknown): void
  /**
   * Calls a listener with every message of others. Own messages may be included, and are ignored. Returns a function
   * that ends this.
   */
  listen(listener: (message: unknown) => void): () => void
}

/** The common members of `BroadcastChannel`, `MessagePort` and `Worker`. */
export interface MessageTarget {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  /** Only a `MessagePort` has this method. It holds its messages until the call. */
  start?(): void
}

/**
 * Creates a port from a `BroadcastChannel`, a `MessagePort` or a similar object. The code that created it closes it.
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

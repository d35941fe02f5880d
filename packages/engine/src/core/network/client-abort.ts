/** React Native has no `DOMException`. */
const Base: typeof DOMException = globalThis.DOMException ?? Error

/** The abort reason of a request whose client no longer waits. Listeners and observers get no event for it. */
export class ClientAbort extends Base {
  constructor(message: string) {
    super(message, 'AbortError')
  }
}

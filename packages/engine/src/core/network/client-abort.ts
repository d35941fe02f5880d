/** The abort reason of a request whose client no longer waits. Listeners and observers get no event for it. */
export class ClientAbort extends DOMException {
  constructor(message: string) {
    super(message, 'AbortError')
  }
}

/** The client's end of a connection, for the code that sends responses. */
export interface ClientEnd {
  /** Sends bytes to the client. Calls back when the client accepts more. */
  send(chunk: Buffer, callback: () => void): void
  /** @param by the caller. The call has no effect if another caller has replaced it */
  sendEnd(by: object): void
  /** Ends the connection as a network failure does. */
  fail(error: unknown): void
  /** Call this when the server has sent bytes before the client. */
  hasSpoken(by: object): void
}

/** A connection, as what answers its client sees it. */
export interface ClientEnd {
  /** Gives the client bytes; calls back when it wants more. */
  send(chunk: Buffer, callback: () => void): void
  /** @param by who ends it: one that was replaced meanwhile has nothing to say */
  sendEnd(by: object): void
  /** Ends the connection as a network does that fails. */
  fail(error: unknown): void
  /** The server has sent bytes before the client did. */
  hasSpoken(by: object): void
}

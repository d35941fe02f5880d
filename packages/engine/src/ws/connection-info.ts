/** The properties of a connection in addition to its URL. */
export interface WebSocketConnectionInfo {
  /** The subprotocols that the app offers, in the form in which it passed them. */
  readonly protocols: string | string[] | undefined
}

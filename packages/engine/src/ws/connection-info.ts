/** The properties of a connection in addition to its URL. */
export interface WebSocketConnectionInfo {
  /** The subprotocols that the app offers, as it gave them. */
  readonly protocols: string | string[] | undefined
}

/**
 * The used members of a request of Node's server. They are declared here, so that an app does not need Node's types.
 */
export interface ServerRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The URL as the client sent it, if a server in front removes its start. */
  readonly originalUrl?: string | undefined
  /** Whether other code has read the whole body. */
  readonly readableEnded?: boolean
  /** The body that a body parser, such as `express.json()`, has read. */
  readonly body?: unknown
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The used members of a response of Node's server. */
export interface ServerAnswer {
  statusCode: number
  setHeader(name: string, value: string): unknown
  removeHeader(name: string): unknown
  writeHead(status: number, headers?: Record<string, string>): unknown
  write(text: string): unknown
  end(text?: string): unknown
  on(event: 'close', listener: () => void): unknown
}

/** A middleware for Connect, Express and Vite. */
export type ConnectMiddleware = (request: ServerRequest, response: ServerAnswer, next: () => void) => void

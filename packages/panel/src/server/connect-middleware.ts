/** What of a request of Node's server is read. Written down here, so that an app needs no types of Node's. */
export interface ServerRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** What of a response of Node's server is written. */
export interface ServerAnswer {
  setHeader(name: string, value: string): unknown
  removeHeader(name: string): unknown
  writeHead(status: number, headers?: Record<string, string>): unknown
  write(text: string): unknown
  end(text?: string): unknown
  on(event: 'close', listener: () => void): unknown
}

/** A middleware as Connect, Express and Vite take it. */
export type ConnectMiddleware = (request: ServerRequest, response: ServerAnswer, next: () => void) => void

/** What a developer forces on a handler in the panel. */
export interface Override {
  /** Answer with this status, 200–599. */
  readonly status?: number
  /** Answer with these headers instead of the handler's. If `Set-Cookie` is missing, the handler's cookies stay. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Answer with this text instead of the handler's body. */
  readonly body?: string
  /** `'base64'`: `body` is the Base64 of bytes. */
  readonly bodyEncoding?: 'base64'
  /** Milliseconds to wait before the handler is asked. */
  readonly delay?: number
  /** Fail as if the host could not be reached. */
  readonly networkError?: boolean
}

/** An override with the code that applies it, which is loaded only with an inspection. */
export interface AppliedOverride extends Override {
  /** Changes the handler's response. */
  readonly apply?: (response: Response) => Response
}

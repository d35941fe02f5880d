/** A request that the form of the playground describes. */
export interface PlaygroundRequest {
  readonly kind: 'fetch' | 'xhr' | 'graphql' | 'event-source' | 'websocket'
  readonly method: string
  readonly url: string
  /** The body; for GraphQL the query; for a WebSocket the first message. */
  readonly body: string
}

/** From the playground to its frame, by a `MessagePort`. */
export type ToFrame =
  /** Replaces the handlers with those that a CommonJS module exports. */
  | { readonly type: 'run'; readonly run: number; readonly code: string }
  | { readonly type: 'send'; readonly id: number; readonly request: PlaygroundRequest }
  /** Sends a message on an open WebSocket. */
  | { readonly type: 'say'; readonly id: number; readonly text: string }
  /** Aborts a request, or closes a connection. */
  | { readonly type: 'close'; readonly id: number }

/** From the frame to the playground. */
export type FromFrame =
  | { readonly type: 'ran'; readonly run: number; readonly handlers: number }
  /** The handlers did not load. The previous ones stay. */
  | { readonly type: 'failed'; readonly run: number; readonly message: string; readonly line: number | null }
  /** A line of the answer. */
  | { readonly type: 'line'; readonly id: number; readonly tone: 'status' | 'body' | 'error'; readonly text: string }
  | { readonly type: 'open'; readonly id: number }
  | { readonly type: 'end'; readonly id: number }

import type { LayerEntry } from '../handlers/handler-layers.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import type { NearHandler } from '../unhandled/nearest-handlers.ts'

/** The decision about a request. A source only carries it out. */
export type Outcome =
  /** The response. */
  | { readonly type: 'mocked'; readonly response: Response }
  /** The request fails as if the host could not be reached. */
  | NetworkErrorOutcome
  /** A handler, or the request itself, sends it to the network unchanged. */
  | PassthroughOutcome<'passthrough'>
  /** No handler matched; the source sends it to the network unchanged. */
  | PassthroughOutcome<'unhandled'>

/** The request fails as if the host could not be reached. */
export interface NetworkErrorOutcome {
  readonly type: 'network-error'
  readonly error: unknown
  /** Whether no handler matched, and the policy for such requests fails them. */
  readonly isUnhandled?: true
}

/** The source sends the request to the network unchanged. */
export interface PassthroughOutcome<Type extends 'passthrough' | 'unhandled'> {
  readonly type: Type
  /** Receives a copy of the response from the network. Defined only if `response:bypass` has a listener. */
  readonly onResponse: ((response: Response) => void) | undefined
}

/** A decided request: the data for the console line, the log and the panel. */
export interface Decision {
  readonly request: Request
  readonly requestId: string
  /** The protocol's name for it: `query GetUser`. */
  readonly name: string | undefined
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds until the decision. */
  readonly duration: number
  readonly outcome: Outcome
  /** The handler that decided, if one did. */
  readonly entry: LayerEntry<RequestHandler> | undefined
  /** The nearest handlers of an unhandled request; empty for other requests and for assets. */
  readonly nearest: () => readonly NearHandler[]
  /** The code of a handler for an unhandled request; `null` for other requests and for assets. */
  readonly suggestion: () => string | undefined
}

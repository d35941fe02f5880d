import type { LayerEntry } from '../handlers/handler-layers.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import type { NearHandler } from './nearest-handlers.ts'

/** What is to become of a request. A source carries it out, and decides nothing itself. */
export type Outcome =
  /** This is the answer. */
  | { readonly type: 'mocked'; readonly response: Response }
  /** The request fails as when the host cannot be reached. */
  | NetworkErrorOutcome
  /** A handler, or the request itself, wants it performed as it is. */
  | Performed<'passthrough'>
  /** No handler matched; it is performed as it is. */
  | Performed<'unhandled'>

export interface NetworkErrorOutcome {
  readonly type: 'network-error'
  readonly error: unknown
  /** Whether no handler matched, and the policy for such requests fails them. */
  readonly isUnhandled?: true
}

export interface Performed<Type extends 'passthrough' | 'unhandled'> {
  readonly type: Type
  /** Takes a copy of the response that came back; there where somebody listens to `response:bypass`. */
  readonly tell: ((response: Response) => void) | undefined
}

/** A decided request: what the console line, the log and the panel are made of. */
export interface Decision {
  readonly request: Request
  readonly requestId: string
  /** How a protocol names it: `query GetUser`. */
  readonly name: string | undefined
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds until the decision. */
  readonly duration: number
  readonly outcome: Outcome
  /** Who decided, where a handler did. */
  readonly entry: LayerEntry<RequestHandler> | undefined
  /** The handlers that came nearest to a request that none matched; for other requests, and for assets, none. */
  readonly nearest: () => readonly NearHandler[]
  /** The text of a handler that would match a request that none matched; for other requests, and for assets, none. */
  readonly suggestion: () => string | undefined
}

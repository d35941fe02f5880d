import type { LayerEntry } from '../handlers/handler-layers.ts'
import type { IncomingRequest } from '../handlers/incoming-request.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import type { Outcome } from './outcome.ts'
import type { ErrorText } from './thrown-error.ts'

/** A step in the life of a request, for logs that show pending requests. */
export type RequestProgress =
  /** A source brought the request. */
  | {
      readonly type: 'start'
      readonly requestId: string
      readonly request: Request
      /** Milliseconds since 1970. */
      readonly startedAt: number
    }
  /** The service worker reported the request that starts next. */
  | { readonly type: 'worker'; readonly reason: WorkerReason }
  /** A handler that could match by the route table did not match. */
  | {
      readonly type: 'mismatch'
      readonly requestId: string
      readonly entry: LayerEntry<RequestHandler>
      readonly incoming: IncomingRequest
    }
  /** A handler matched. Its resolver runs next. */
  | {
      readonly type: 'match'
      readonly requestId: string
      readonly entry: LayerEntry<RequestHandler>
      readonly incoming: IncomingRequest
      /** The arguments that the handler's protocol adds for the resolver. */
      readonly extras: object
    }
  /** A handler unwrapped the request: handlers are asked about each part, such as an operation of a batch. */
  | { readonly type: 'parts'; readonly requestId: string }
  /** No handler matched a part, while handlers matched others. */
  | { readonly type: 'part'; readonly requestId: string; readonly part: IncomingRequest; readonly outcome: Outcome }
  /** A handler matched each part, or the part was reported as unhandled. Resolvers may still run. */
  | { readonly type: 'parts-decided'; readonly requestId: string }
  /** The resolver of a handler that matched returned no response. The next handler is asked. */
  | { readonly type: 'no-response'; readonly requestId: string; readonly entry: LayerEntry<RequestHandler> }
  /** The resolver of a handler that matched threw. */
  | { readonly type: 'throw'; readonly requestId: string; readonly error: ErrorText }
  /**
   * A handler answered, and the bodies of responses are wanted. `onEnd` takes a function that is called when the client
   * has read the body, or has left. A copy must be taken at once, so that the source of the body sees that the client left.
   */
  | {
      readonly type: 'answer'
      readonly requestId: string
      readonly response: Response
      readonly onEnd: (listener: () => void) => void
    }
  /** The network was replaced while it decided. No decision follows. */
  | { readonly type: 'abandon'; readonly requestId: string }
  /** The response of a request that went to the network. Each listener gets its own copy. */
  | { readonly type: 'response'; readonly requestId: string; readonly response: Response }

/**
 * Why a service worker reports a request to a page: a handler could match, by the route table; none could, but the page
 * decides about all requests; none could, and the worker does not intercept the request.
 */
export type WorkerReason = 'could-match' | 'observed' | 'left-alone'

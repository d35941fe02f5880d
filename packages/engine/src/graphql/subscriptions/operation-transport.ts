import type { IncomingRequest } from '../../core/handlers/incoming-request.ts'
import type { ResultFrame } from '../response/result-format.ts'

/**
 * The transport of an operation that did not arrive as an HTTP request. A request is created for it, so that handlers
 * can answer it.
 */
export interface OperationTransport {
  /** The client's id for the operation. */
  readonly id: string
  /** Sends the operation to the server over the same transport. */
  perform(signal: AbortSignal): AsyncIterable<ResultFrame>
  /** Is called when a handler answers the operation with results. */
  onAnswered(operation: AnsweredOperation): void
}

/** An operation that a handler of subscriptions answers. */
export interface AnsweredOperation {
  /** Empty if it is anonymous. */
  readonly operationName: string
  readonly query: string
  readonly variables: Record<string, unknown>
}

const transports = new WeakMap<Request, OperationTransport>()

/** Stores the transport of a request's operation. */
export function setTransport(request: Request, transport: OperationTransport): void {
  transports.set(request, transport)
}

const transportKey: unique symbol = Symbol('transport') as never

/** Returns the members that a resolver's argument needs for {@link transportOf}. */
export function transportInfo({ request }: IncomingRequest): object {
  const transport = transports.get(request)
  return transport ? { [transportKey]: transport } : {}
}

/** Returns the transport of an operation; `undefined` if its own request carries it. */
export function transportOf(info: object): OperationTransport | undefined {
  return (info as { [transportKey]?: OperationTransport })[transportKey]
}

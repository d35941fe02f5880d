import type { IncomingRequest } from '../../core/network/incoming-request.ts'
import type { ResultFrame } from './result-format.ts'

/** What carries an operation that came by another way than the request which is made of it. */
export interface OperationTransport {
  /** The client's id of the operation. */
  readonly id: string
  /** Has the server perform the operation, by the same way. */
  perform(signal: AbortSignal): AsyncIterable<ResultFrame>
}

const transports = new WeakMap<Request, OperationTransport>()

/** Remembers what carries the operation of a request. */
export function setTransport(request: Request, transport: OperationTransport): void {
  transports.set(request, transport)
}

const transportKey: unique symbol = Symbol('transport') as never

/** What a resolver's info has to hold, so that {@link transportOf} finds it there. */
export function transportInfo({ request }: IncomingRequest): object {
  const transport = transports.get(request)
  return transport ? { [transportKey]: transport } : {}
}

/** Returns the transport of an operation; `undefined` if its own request carries it. */
export function transportOf(info: object): OperationTransport | undefined {
  return (info as { [transportKey]?: OperationTransport })[transportKey]
}

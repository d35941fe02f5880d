import type { IncomingRequest } from '../../core/network/incoming-request.ts'
import type { ResultFrame } from './result-format.ts'

/** What carries an operation that came by another way than the request which is made of it. */
export interface Carrier {
  /** The client's id of the operation. */
  readonly id: string
  /** Has the server perform the operation, by the same way. */
  perform(signal: AbortSignal): AsyncIterable<ResultFrame>
}

const carriers = new WeakMap<Request, Carrier>()

/** Remembers what carries the operation of a request. */
export function setCarrier(request: Request, carrier: Carrier): void {
  carriers.set(request, carrier)
}

const carrierKey: unique symbol = Symbol('carrier') as never

/** What a resolver's info has to hold, so that {@link carrierOf} finds it there. */
export function carrierInfo({ request }: IncomingRequest): object {
  const carrier = carriers.get(request)
  return carrier ? { [carrierKey]: carrier } : {}
}

/** What carries the operation that a resolver is told of; nothing where its request does. */
export function carrierOf(info: object): Carrier | undefined {
  return (info as { [carrierKey]?: Carrier })[carrierKey]
}

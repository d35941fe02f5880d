import { isCommonAssetRequest } from '@understudy/engine'
import type { Server } from '@understudy/engine/node'

/** A request with its outcome. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  /** A copy whose body can be read once. */
  readonly request: Request
  readonly outcome: 'mocked' | 'network-error' | 'passthrough' | 'unhandled'
  /** The handler that decided, as `server.printHandlers()` prints it: `GET /api/user/:id`. */
  readonly handler: string | undefined
}

type Network = Server['~network']

/** Calls a function with every decided request, except for requests for assets. */
export function observeRequests(network: Network, callback: (seen: SeenRequest) => void): void {
  network.decisions.add(({ request, outcome, entry }) => {
    if (isCommonAssetRequest(request)) return
    const { method, url } = request
    callback({
      method,
      url,
      // Copy the request, because the source may be about to send it.
      request: request.bodyUsed ? request : request.clone(),
      outcome: outcome.type,
      handler: entry?.handler.info.header,
    })
  })
}

import type { Protocol } from '../handlers/protocol.ts'
import { isRequestHandler } from '../handlers/request-handler.ts'
import { describeMiss } from './describe-miss.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { isCommonAssetRequest } from './is-common-asset-request.ts'
import { findNearestHandlers } from './nearest-handlers.ts'
import type { Network } from './network.ts'
import type { Outcome } from './outcome.ts'
import { performed } from './performed.ts'

/**
 * A request that no handler matched: listeners are told, and the strategy says what becomes of it.
 *
 * @param by the protocols whose handlers were asked
 */
export async function miss(incoming: IncomingRequest, network: Network, by?: ReadonlySet<Protocol>): Promise<Outcome> {
  const { request, id } = incoming
  for (const protocol of by ?? []) protocol.missed(incoming)
  network.events.emit('request:unhandled', () => ({ request: incoming.copy(), requestId: id }))
  const isTold = !network.unhandled.isSilent || network.observers.size > 0
  if (isTold && !isCommonAssetRequest(request)) await readByOthers(incoming, network, by)
  try {
    await network.unhandled.apply(incoming.copy(), id, () =>
      describeMiss(incoming, isCommonAssetRequest(request) ? [] : findNearestHandlers(network, incoming)),
    )
  } catch (error) {
    return { type: 'network-error', error }
  }
  return performed('unhandled', incoming, network)
}

/** How long a body may take to arrive until it is told of without it, in milliseconds. */
const patience = 200

/**
 * Has the protocols read the request that were not asked, because it went to none of their URLs: it may have been meant
 * for one.
 */
async function readByOthers(incoming: IncomingRequest, { layers }: Network, by?: ReadonlySet<Protocol>): Promise<void> {
  const others = new Set<Protocol>()
  for (const { handler } of layers.entries()) {
    if (isRequestHandler(handler) && handler.protocol && !by?.has(handler.protocol)) others.add(handler.protocol)
  }
  if (others.size === 0) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const enough = new Promise((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  const readings = Array.from(others, async (protocol) => protocol.keysOf(incoming))
  await Promise.race([Promise.allSettled(readings), enough])
  clearTimeout(timer)
}

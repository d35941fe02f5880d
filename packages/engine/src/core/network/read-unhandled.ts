import type { IncomingRequest } from '../handlers/incoming-request.ts'
import type { Protocol } from '../handlers/protocol.ts'
import { isRequestHandler } from '../handlers/request-handler.ts'
import { later } from '../real-time.ts'
import type { Network } from './network.ts'

/** The limit on the wait for a body, in milliseconds. The report of the request then omits the body. */
const bodyTimeout = 200

/**
 * Lets protocols whose handlers were not asked, because their URLs do not match, read a request. It may have been meant
 * for one of them, and messages then show the name of its operation.
 *
 * @param by the protocols whose handlers were asked
 */
export async function readUnhandled(
  incoming: IncomingRequest,
  { layers }: Network,
  by?: ReadonlySet<Protocol>,
): Promise<void> {
  const others = new Set<Protocol>()
  for (const { handler } of layers.entries()) {
    if (isRequestHandler(handler) && handler.protocol && !by?.has(handler.protocol)) others.add(handler.protocol)
  }
  if (others.size === 0) return
  const enough = new Promise<void>((resolve) => {
    later(resolve, bodyTimeout)
  })
  const readings = Array.from(others, async (protocol) => protocol.keysOf(incoming))
  await Promise.race([Promise.allSettled(readings), enough])
}

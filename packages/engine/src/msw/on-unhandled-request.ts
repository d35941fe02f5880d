import { IncomingRequest } from '../core/network/incoming-request.ts'
import { pageUrl } from '../core/routing/page-url.ts'
import { describeUnhandled } from '../core/unhandled/describe-unhandled.ts'
import { readUnhandledPolicy, type UnhandledRequestOption } from '../core/unhandled/unhandled-request.ts'

/**
 * Does what a strategy says of a request that no handler matches.
 *
 * @throws for the strategy `'error'`, what a callback throws, and for a strategy that does not exist
 * @see MSW's `onUnhandledRequest`
 */
export async function onUnhandledRequest(request: Request, strategy: UnhandledRequestOption = 'warn'): Promise<void> {
  const id = crypto.randomUUID()
  const incoming = new IncomingRequest(request, id, undefined, pageUrl())
  await readUnhandledPolicy({ onUnhandledRequest: strategy }).apply(request, id, () => describeUnhandled(incoming, []))
}

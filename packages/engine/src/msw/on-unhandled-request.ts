import { createId } from '../core/create-id.ts'
import { IncomingRequest } from '../core/handlers/incoming-request.ts'
import { pageUrl } from '../core/routing/page-url.ts'
import { describeUnhandled } from '../core/unhandled/describe-unhandled.ts'
import { readUnhandledPolicy, type UnhandledRequestOption } from '../core/unhandled/unhandled-request.ts'

/**
 * Applies a strategy to a request that no handler matches.
 *
 * @throws {UnderstudyError} if the strategy is `'error'` or does not exist; what a callback throws
 * @see MSW's `onUnhandledRequest`
 */
export async function onUnhandledRequest(request: Request, strategy: UnhandledRequestOption = 'warn'): Promise<void> {
  const id = createId()
  const incoming = new IncomingRequest(request, id, undefined, pageUrl())
  await readUnhandledPolicy({ onUnhandledRequest: strategy }).apply(request, id, () => describeUnhandled(incoming, []))
}

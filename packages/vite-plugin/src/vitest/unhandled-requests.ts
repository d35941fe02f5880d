import { isCommonAssetRequest } from '@understudy/engine'
import type { Server } from '@understudy/engine/node'

import { withoutStack } from './failure.ts'

/**
 * Tells of every request that the policy of a network fails, whether or not the app swallows the error.
 *
 * @param isError whether the policy is `'error'`. What it would print, the failed test says.
 */
export function reportUnhandled(network: Server['~network'], isError: boolean, report: (fault: Error) => void): void {
  const policy = network.unhandled
  network.unhandled = {
    decides: policy.decides,
    isSilent: policy.isSilent,
    async apply(request, requestId, describe, connection) {
      if (isError && isCommonAssetRequest(request)) return
      try {
        if (isError) throw toFault(describe())
        await policy.apply(request, requestId, describe, connection)
      } catch (error) {
        report(error instanceof Error ? error : new Error(String(error)))
        throw error
      }
    },
  }
}

function toFault(description: string): Error {
  const message = `${description}\n  It fails the test because "onUnhandledRequest" is "error".`
  return withoutStack(Object.assign(new Error(message), { name: 'UnderstudyError' }))
}

import { isCommonAssetRequest } from '@understudy/engine'
import type { Server } from '@understudy/engine/node'

import { toCodedError, withStack } from './failure.ts'

/**
 * Reports every request that the policy of a network fails, even if the app swallows the error.
 *
 * @param isError whether the policy is `'error'`. The failed test then contains the message, so the console does not.
 * @param stackOfCaller returns the stack of the code that made a request, one frame per line
 */
export function reportUnhandled(
  network: Server['~network'],
  isError: boolean,
  report: (fault: Error) => void,
  stackOfCaller: (requestId: string) => string = () => '',
): void {
  const policy = network.unhandled
  network.unhandled = {
    decides: policy.decides,
    fails: policy.fails,
    isSilent: policy.isSilent,
    async apply(request, requestId, describe, connection) {
      if (isError && isCommonAssetRequest(request)) return
      try {
        if (isError) throw toFault(describe(), network.scenarios?.active ?? [], stackOfCaller(requestId))
        await policy.apply(request, requestId, describe, connection)
      } catch (error) {
        report(error instanceof Error ? error : new Error(String(error)))
        throw error
      }
    },
  }
}

function toFault(description: string, scenarios: readonly string[], stack: string): Error {
  const active =
    scenarios.length === 0 ? '' : `\n  Active scenario${scenarios.length === 1 ? '' : 's'}: ${scenarios.join(', ')}.`
  const message = `${description}${active}\n  It fails the test because "onUnhandledRequest" is "error".`
  return withStack(toCodedError('US0828', message), stack)
}

import {
  isCommonAssetRequest,
  readUnhandledPolicy,
  type UnhandledPolicy,
  type UnhandledRequestStrategy,
} from '@understudy/engine/internal/page'

import type { PageMocking } from './mocking-state.ts'
import { failIfLate } from './pending-requests.ts'
import { options } from './project-handlers.ts'
import { liveRuns } from './story-run.ts'

const severity: readonly UnhandledRequestStrategy[] = ['bypass', 'warn', 'error']

/**
 * Returns the policy for requests that no handler matches: the strictest of the rendered stories. While the project's
 * handlers cannot be loaded for the first time, such requests fail.
 */
export function applyUnhandled(mocking: PageMocking): UnhandledPolicy {
  const policies = new Map(
    severity.map((strategy) => [strategy, readUnhandledPolicy({ onUnhandledRequest: strategy })]),
  )
  const chosen = (): UnhandledPolicy => {
    // A handler that could not be loaded may match the request, which must not reach a real server.
    if (mocking.handlersError !== undefined && !mocking.areHandlersLoaded)
      return policies.get('error') as UnhandledPolicy
    const ofStories = Array.from(liveRuns(), ({ onUnhandledRequest }) => onUnhandledRequest)
    const given = ofStories.filter((strategy) => strategy !== undefined)
    if (given.length === 0 && mocking.onUnhandledRequest) {
      return readUnhandledPolicy({ onUnhandledRequest: mocking.onUnhandledRequest })
    }
    const rank = Math.max(...given.map((strategy) => severity.indexOf(strategy)))
    const strategy = severity[rank] ?? options.onUnhandledRequest ?? 'warn'
    return policies.get(strategy) as UnhandledPolicy
  }
  return {
    get decides() {
      return chosen().decides
    },
    get fails() {
      return chosen().fails
    },
    get isSilent() {
      return chosen().isSilent
    },
    async apply(request, requestId, describe, connection) {
      failIfLate(request)
      if (!isCommonAssetRequest(request)) for (const run of liveRuns()) run.unhandled.push(describe())
      mocking.update()
      await chosen().apply(request, requestId, describe, connection)
    },
  }
}

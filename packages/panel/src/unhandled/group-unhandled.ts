import type { LoggedRequest } from '@understudy/engine/inspect'

import { isUnhandled } from '../log/filter-requests.ts'

/** Unhandled requests that the same handler would answer. */
export interface UnhandledGroup {
  /** Identifies the group while the handlers stay the same. */
  readonly key: string
  /** The latest request of the group. */
  readonly request: LoggedRequest
  readonly count: number
}

/**
 * Groups unhandled requests by the handler that would answer them, the latest first. Leaves out a request if a handler
 * has decided about the same request since.
 *
 * @param requests the newest first
 */
export function groupUnhandled(requests: readonly LoggedRequest[]): UnhandledGroup[] {
  const groups = new Map<string, { key: string; request: LoggedRequest; count: number }>()
  const handled = new Set<string>()
  for (const request of requests) {
    const same = `${request.method} ${request.url} ${request.name ?? ''}`
    if (request.handler && request.outcome !== 'pending') handled.add(same)
    if (!isUnhandled(request) || handled.has(same)) continue
    const key = `${request.suggestion} ${request.nearest.map(({ difference }) => difference).join()}`
    const known = groups.get(key)
    if (known) known.count += 1
    else groups.set(key, { key, request, count: 1 })
  }
  return [...groups.values()]
}

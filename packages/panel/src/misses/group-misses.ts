import type { LoggedRequest } from '@understudy/engine/inspect'

import { isMiss } from '../requests/filter-requests.ts'

/** Requests that the same handler would answer. */
export interface Miss {
  /** The latest of them. */
  readonly request: LoggedRequest
  readonly count: number
}

/** Requests that no handler matched, those together that one handler would answer; the latest first. */
export function groupMisses(requests: readonly LoggedRequest[]): Miss[] {
  const misses = new Map<string, { request: LoggedRequest; count: number }>()
  for (const request of requests) {
    if (!isMiss(request)) continue
    const key = `${request.suggestion} ${request.nearest.map(({ difference }) => difference).join()}`
    const known = misses.get(key)
    if (known) known.count += 1
    else misses.set(key, { request, count: 1 })
  }
  return [...misses.values()]
}

import type { LoggedRequest } from '@understudy/engine/inspect'

import { groupUnhandled } from '../unhandled/group-unhandled.ts'

/** The problems that a developer should check. */
export interface Problems {
  /** Unhandled requests, as the panel groups them. */
  readonly unhandled: number
  /** Requests whose resolver threw an error. */
  readonly errors: number
}

/**
 * Counts the problems of a log.
 *
 * @param requests the newest first
 */
export function countProblems(requests: readonly LoggedRequest[]): Problems {
  return {
    unhandled: groupUnhandled(requests).length,
    errors: requests.filter(({ thrown }) => thrown !== null).length,
  }
}

/** Returns `2 unhandled requests, 1 error`; an empty text without problems. */
export function describeProblems({ unhandled, errors }: Problems): string {
  const parts = [
    unhandled > 0 && `${unhandled} unhandled ${unhandled === 1 ? 'request' : 'requests'}`,
    errors > 0 && `${errors} ${errors === 1 ? 'error' : 'errors'}`,
  ]
  return parts.filter(Boolean).join(', ')
}

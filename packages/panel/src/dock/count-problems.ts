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

/** Returns `recording, 2 unhandled requests, 1 error`; an empty text if there is nothing to say. */
export function describeProblems({ unhandled, errors }: Problems, isRecording = false): string {
  const parts = [
    isRecording && 'recording',
    unhandled > 0 && `${unhandled} unhandled request${unhandled === 1 ? '' : 's'}`,
    errors > 0 && `${errors} error${errors === 1 ? '' : 's'}`,
  ]
  return parts.filter(Boolean).join(', ')
}

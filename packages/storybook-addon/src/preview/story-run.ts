import type { Handler } from '@understudy/engine'
import type { UnhandledRequestStrategy } from '@understudy/engine/bootstrap'

import type { StoryHandlers } from './read-handlers.ts'
import type { SentRequest } from './sent-requests.ts'

/**
 * One rendering of a story, from its first loader to its cleanup. A change of args goes on with the same one; a
 * remount begins another.
 */
export interface StoryRun {
  readonly storyId: string
  /** How people know the story: `Users/Error`. */
  readonly name: string
  readonly viewMode: string
  /** The token of its handlers' layer. */
  readonly token: object
  /** The token of what it added by `use`. */
  readonly runtimeToken: object
  /** By `performance.now()`. */
  readonly beganAt: number
  /** Ends with it. */
  readonly ending: AbortController
  /** What it added by `use`, the latest first. */
  runtime: readonly Handler[]
  handlers: StoryHandlers
  onUnhandledRequest: UnhandledRequestStrategy | undefined
  /** The requests that were decided while it was there, in their order. */
  readonly sent: SentRequest[]
  /** What no handler matched, as people are told of it. */
  readonly unhandled: string[]
  /** What resolvers threw. */
  readonly errors: string[]
  /** Whether it is to ask for everything once more. */
  mustRemount: boolean
  /** Whether its loaders are done. */
  isRendered: boolean
}

const runs = new Set<StoryRun>()
let firstBeganAt = Infinity

/** The stories that are there now: several on a docs page. */
export function liveRuns(): ReadonlySet<StoryRun> {
  return runs
}

/** When the first story of the page began: requests from before are of none. */
export function firstRunBeganAt(): number {
  return firstBeganAt
}

export function addRun(run: StoryRun): void {
  firstBeganAt = Math.min(firstBeganAt, run.beganAt)
  runs.add(run)
}

/** @returns whether it was there */
export function removeRun(run: StoryRun): boolean {
  return runs.delete(run)
}

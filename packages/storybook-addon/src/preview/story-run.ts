import type { Handler } from '@understudy/engine'
import type { UnhandledRequestStrategy } from '@understudy/engine/internal/page'

import type { StoryHandlers } from './read-handlers.ts'
import type { SentRequest } from './sent-requests.ts'

/**
 * One rendering of a story, from its first loader to its cleanup. A change of args continues the same run, and a remount
 * starts another one.
 */
export interface StoryRun {
  readonly storyId: string
  /** The story's title and name: `Users/Error`. */
  readonly name: string
  readonly viewMode: string
  /** The token of its handlers' layer. */
  readonly token: object
  /** The token of the handlers that the story added with `use`. */
  readonly runtimeToken: object
  /** The start time, by `performance.now()`. */
  readonly beganAt: number
  /** Aborted when the run ends. */
  readonly ending: AbortController
  /** The handlers that the story added with `use`, latest first. */
  runtime: readonly Handler[]
  handlers: StoryHandlers
  onUnhandledRequest: UnhandledRequestStrategy | undefined
  /** The decided requests of this run, in order. */
  readonly sent: SentRequest[]
  /** Descriptions of the unhandled requests, for the report. */
  readonly unhandled: string[]
  /** The errors that resolvers threw. */
  readonly errors: string[]
  /** Whether the story must be mounted again, to make all its requests again. */
  mustRemount: boolean
  /** Whether its loaders have finished. */
  isRendered: boolean
}

const runs = new Set<StoryRun>()
let firstBeganAt = Infinity

/** Returns the current runs. A docs page has several. */
export function liveRuns(): ReadonlySet<StoryRun> {
  return runs
}

/** Returns the start time of the page's first story. Earlier requests do not belong to a story. */
export function firstRunBeganAt(): number {
  return firstBeganAt
}

export function addRun(run: StoryRun): void {
  firstBeganAt = Math.min(firstBeganAt, run.beganAt)
  runs.add(run)
}

/** @returns whether the run was rendered */
export function removeRun(run: StoryRun): boolean {
  return runs.delete(run)
}

import { couldAnswer, isCommonAssetRequest, Network } from '@understudy/engine/internal/page'

import { listOf } from './read-handlers.ts'
import { liveRuns, type StoryRun } from './story-run.ts'

/** Test libraries may replace it later. */
const { setTimeout } = globalThis

/**
 * The number of tasks after the end of a story in which its rendering may still end, and its effects make requests.
 * Storybook waits for three tasks, and then reloads the page.
 */
const lateTasks = 10

/** The handlers of stories that ended while no other story was rendered. */
const ended = new Set<Network>()

/**
 * Call this when a story has ended. Its rendering may not have ended: if the user selects stories quickly, it makes its
 * requests afterwards. Without its handlers, they would reach the network.
 */
export function noteEnded({ handlers, runtime }: StoryRun): void {
  // Later requests may belong to the other stories of a docs page.
  if (liveRuns().size > 0) return
  const network = new Network([...runtime, ...listOf(handlers)])
  ended.add(network)
  let tasks = lateTasks
  const wait = (): void => {
    tasks -= 1
    if (tasks < 0) ended.delete(network)
    else setTimeout(wait)
  }
  wait()
}

/** Call this when the handlers of the next story are installed. Later requests belong to it. */
export function forgetEnded(): void {
  ended.clear()
}

/**
 * Returns whether a request belongs to a story that has ended, and that would have answered it. Common assets do not: the
 * modules of the next story must load, also if a handler of the ended one matches all URLs.
 */
export function isLate(method: string, url: URL): boolean {
  if (ended.size === 0 || isCommonAssetRequest({ url: url.href })) return false
  return [...ended].some((network) => couldAnswer(network, method.toUpperCase(), url))
}

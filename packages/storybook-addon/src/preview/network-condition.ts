import { delay, http, HttpResponse, type Handler } from '@understudy/engine'
import { isCommonAssetRequest } from '@understudy/engine/internal/page'

import { networkConditions, type NetworkCondition } from '../events.ts'
import type { PageMocking } from './mocking-state.ts'
import { liveRuns } from './story-run.ts'

/** Milliseconds that every request takes in the condition `slow`. */
const slowness = 2000

/** Whatever a story's scripts request; not what the page is made of. */
const isOfStory = ({ request }: { request: Request }): boolean => !isCommonAssetRequest(request)

const handlers: Readonly<Record<NetworkCondition, Handler | undefined>> = {
  none: undefined,
  // Falls through: the story's handlers answer.
  slow: http.all(isOfStory, () => delay(slowness)),
  offline: http.all(isOfStory, () => HttpResponse.error()),
  errors: http.all(isOfStory, () => HttpResponse.json({ message: 'Internal Server Error' }, { status: 500 })),
}

export function isNetworkCondition(value: unknown): value is NetworkCondition {
  return (networkConditions as readonly unknown[]).includes(value)
}

/** Lets all requests of all stories meet a condition, before any handler of theirs. */
export function applyNetworkCondition(mocking: PageMocking, condition: NetworkCondition): void {
  if (mocking.condition === condition) return
  mocking.condition = condition
  const { layers } = mocking.network
  layers.reset()
  const handler = handlers[condition]
  if (handler) layers.use([handler])
  // What is on the screen was asked for under the condition before.
  for (const run of liveRuns()) run.mustRemount ||= run.isRendered
  for (const frame of document.querySelectorAll<HTMLIFrameElement>('.sb-story iframe')) {
    frame.contentWindow?.location.reload()
  }
}

import { delay, http, HttpResponse, type Handler } from '@understudy/engine'
import { isCommonAssetRequest } from '@understudy/engine/internal/page'

import { networkConditions, type NetworkCondition } from '../events.ts'
import type { PageMocking } from './mocking-state.ts'
import { liveRuns } from './story-run.ts'

/** The duration of every request in the condition `slow`, in milliseconds. */
const slowness = 2000

/** Returns whether a request belongs to a story, and does not load a part of the page. */
const isOfStory = ({ request }: { request: Request }): boolean => !isCommonAssetRequest(request)

const handlers: Readonly<Record<NetworkCondition, Handler | undefined>> = {
  none: undefined,
  // Return nothing, so that the story's handlers answer.
  slow: http.all(isOfStory, () => delay(slowness)),
  offline: http.all(isOfStory, () => HttpResponse.error()),
  errors: http.all(isOfStory, () => HttpResponse.json({ message: 'Internal Server Error' }, { status: 500 })),
}

export function isNetworkCondition(value: unknown): value is NetworkCondition {
  return (networkConditions as readonly unknown[]).includes(value)
}

/** Applies a condition to all requests of all stories, before their handlers. */
export function applyNetworkCondition(mocking: PageMocking, condition: NetworkCondition): void {
  if (mocking.condition === condition) return
  mocking.condition = condition
  const { layers } = mocking.network
  layers.reset()
  const handler = handlers[condition]
  if (handler) layers.use([handler])
  // Render the stories again, because they show responses under the previous condition.
  for (const run of liveRuns()) run.mustRemount ||= run.isRendered
  for (const frame of document.querySelectorAll<HTMLIFrameElement>('.sb-story iframe')) {
    frame.contentWindow?.location.reload()
  }
}

import { shareInspection, type NetworkInfo } from '@understudy/engine/inspect'
import { FORCE_REMOUNT } from 'storybook/internal/core-events'
import { addons } from 'storybook/preview-api'

import type { StoryReport } from '../window-messages.ts'
import { labelHandlers } from './label-handlers.ts'
import { hearManager, managerPort, tellManager } from './manager-window.ts'
import type { PageMocking } from './mocking-state.ts'
import { liveRuns, type StoryRun } from './story-run.ts'

/** Shares the page's network and the problems of stories with the manager. */
export async function shareStories(mocking: PageMocking): Promise<void> {
  // Tests run stories without a manager, so they never get this message.
  const channel = await addons.ready()
  const shared = shareInspection(mocking.inspection, managerPort, { describe: () => describePage(mocking) })
  const told = new Map<string, string>()
  const report = (isAsked: boolean): void => {
    for (const run of liveRuns()) {
      const state = toReport(run)
      const text = JSON.stringify(state)
      if (isAsked || told.get(run.storyId) !== text) tellManager('report', state)
      told.set(run.storyId, text)
    }
  }
  hearManager(({ name }) => {
    if (name === 'request-reports') report(true)
  })
  mocking.update = () => {
    shared.update()
    report(false)
  }
  mocking.remount = (storyId) => channel.emit(FORCE_REMOUNT, { storyId })
  mocking.update()
}

function toReport({ storyId, unhandled, errors, handlers }: StoryRun): StoryReport {
  return {
    storyId,
    refId: new URLSearchParams(location.search).get('refId'),
    unhandled: unhandled.length,
    errors: errors.length,
    problems: handlers.problems.length,
  }
}

function describePage(mocking: PageMocking): NetworkInfo {
  const { state, handlersError, condition } = mocking
  const { active = [] } = mocking.network.scenarios ?? {}
  const runs = [...liveRuns()]
  const conditions = { none: [], slow: ['slow'], offline: ['offline'], errors: ['failing'] }[condition]
  return {
    title: runs.map(({ name }) => name).join(', '),
    url: location.href,
    notices: [
      ...conditions.map((word) => `The toolbar makes the network ${word}, for all stories and before their handlers.`),
      ...(active.length === 0 ? [] : [`Active scenario${active.length === 1 ? '' : 's'}: ${active.join(', ')}.`]),
      ...(state.how === 'in-page' ? [withoutWorker()] : []),
      ...(state.how === 'failed' ? [`Stories run unmocked. ${state.error}`] : []),
      ...(handlersError === undefined ? [] : [handlersError]),
      ...runs.flatMap(({ handlers }) => handlers.problems),
    ],
    labels: labelHandlers(mocking),
  }
}

function withoutWorker(): string {
  const reason = isSecureContext ? 'this page has no service worker' : `${location.origin} cannot have a service worker`
  const advice = isSecureContext ? 'The console says why.' : 'Open Storybook on localhost or over https.'
  return (
    `Requests are answered in the page itself, because ${reason}. Requests from elements (images, styles) and from workers ` +
    `are not mocked. ${advice}`
  )
}

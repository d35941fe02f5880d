import { experimental_getStatusStore as getStatusStore } from 'storybook/manager-api'

import { addonId } from '../events.ts'
import { readStoryReport } from '../window-messages.ts'
import { hearPreviews, tellPreviews } from './preview-windows.ts'

/** The number of attempts to write to the store, and the pause between them in milliseconds. */
const attempts = 20
const pause = 250

/**
 * Marks stories in the sidebar whose requests were unhandled, whose resolvers threw, or whose handlers are not valid.
 */
export function markStories(): void {
  const store = getStatusStore(addonId)
  /** The descriptions that were not written to the store yet, by story. `''` removes the mark. */
  const wanted = new Map<string, string>()
  let tries = 0
  let retrying: ReturnType<typeof setTimeout> | undefined

  const apply = (): void => {
    clearTimeout(retrying)
    for (const [storyId, description] of wanted) {
      try {
        if (description === '') store.unset([storyId])
        else store.set([toStatus(storyId, description)])
      } catch {
        // Storybook's server owns the store, and has not sent its contents yet.
        tries += 1
        if (tries < attempts) retrying = setTimeout(apply, pause)
        return
      }
      wanted.delete(storyId)
    }
  }
  hearPreviews(({ name, payload }, preview) => {
    const report = name === 'report' ? readStoryReport(payload) : undefined
    // Do not mark stories of a composed Storybook, which marks its own.
    if (!report || report.refId !== preview.refId) return
    const { storyId, refId, unhandled, errors, problems } = report
    const id = refId ? `${refId}_${storyId}` : storyId
    const faults = [
      [unhandled, 'request without a handler', 'requests without a handler'],
      [errors, 'resolver that threw', 'resolvers that threw'],
      [problems, 'value that is not a handler', 'values that are not handlers'],
    ] as const
    const said = faults
      .filter(([count]) => count > 0)
      .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
    wanted.set(id, said.join(', '))
    tries = 0
    apply()
  })
  tellPreviews('request-reports', null)
}

function toStatus(storyId: string, description: string): Parameters<ReturnType<typeof getStatusStore>['set']>[0][0] {
  return {
    value: 'status-value:warning',
    typeId: addonId,
    storyId,
    title: 'Understudy',
    description,
    sidebarContextMenu: false,
  }
}

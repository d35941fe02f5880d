import { addons, experimental_getStatusStore as getStatusStore } from 'storybook/manager-api'

import { addonId, reportEvent, requestReportsEvent, type StoryReport } from '../events.ts'

/** Marks stories in the sidebar whose requests went unhandled, whose resolvers threw, or whose handlers are none. */
export function markStories(): void {
  const channel = addons.getChannel()
  const store = getStatusStore(addonId)
  channel.on(reportEvent, ({ storyId, refId, unhandled, errors, problems }: StoryReport) => {
    const id = refId ? `${refId}_${storyId}` : storyId
    const faults = [
      [unhandled, 'request without a handler', 'requests without a handler'],
      [errors, 'resolver that threw', 'resolvers that threw'],
      [problems, 'handler that is none', 'handlers that are none'],
    ] as const
    const said = faults
      .filter(([count]) => count > 0)
      .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
    if (said.length === 0) store.unset([id])
    else {
      store.set([
        {
          value: 'status-value:warning',
          typeId: addonId,
          storyId: id,
          title: 'Understudy',
          description: said.join(', '),
          sidebarContextMenu: false,
        },
      ])
    }
  })
  channel.emit(requestReportsEvent)
}

import { keysOfHandlers, parseSettings } from '@understudy/panel/settings'

import { readSettingsParameter, settingsParameter } from '../events.ts'
import { addressOfManager } from './docs-frame.ts'
import { labelHandlers } from './label-handlers.ts'
import { hearManager, isInForeignFrame } from './manager-window.ts'
import type { PageMocking } from './mocking-state.ts'

/**
 * Applies the settings in the URL to handlers when they are added: before their first request, with or without an open
 * panel. Only the panel changes existing handlers.
 */
export function applySettings(mocking: PageMocking): void {
  const { layers } = mocking.network
  const address = new URL(addressOfManager())
  // A page of another origin that shows this one in a frame controls its URL.
  let settings = parseSettings(
    isInForeignFrame() ? '' : readSettingsParameter(address.searchParams.get(settingsParameter)),
  )
  const known = new WeakSet<object>()
  const apply = (): void => {
    const entries = layers.entries()
    const added = entries.filter((entry) => !known.has(entry))
    for (const entry of added) known.add(entry)
    if (added.length === 0 || settings.size === 0) return
    const keys = keysOfHandlers({
      handlers: entries.map(({ id, layer, handler }) => ({ id, layer, header: handler.info.header })),
      info: { labels: labelHandlers(mocking) },
    })
    for (const entry of added) {
      const setting = settings.get(keys.get(entry.id) ?? '')
      if (!setting) continue
      mocking.inspection.setEnabled(entry.id, setting.enabled)
      mocking.inspection.override(entry.id, setting.override)
    }
  }
  layers.onChange(apply)
  hearManager(({ name, payload }) => {
    if (name === 'settings' && typeof payload === 'string') settings = parseSettings(payload)
  })
}

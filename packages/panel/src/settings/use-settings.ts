import * as React from 'react'

import type { PanelHost, PanelState } from '../panel-host.ts'
import { SettingsKeeper } from './settings-keeper.ts'
import type { Setting } from './settings.ts'

interface SettingsUse {
  host: PanelHost
  state: PanelState | null
  settings: string
  onChange: ((settings: string) => void) | undefined
  onError: (error: unknown) => void
}

/**
 * Synchronizes disabled handlers and overrides with a text: see {@link SettingsKeeper}.
 *
 * @returns a function that changes a handler
 */
export function useSettings(use: SettingsUse): (handlerId: number, change: Partial<Setting>) => Promise<void> {
  const { host, state, settings, onChange, onError } = use
  const callbacks = React.useRef({ onChange, onError })
  callbacks.current = { onChange, onError }
  const [keeper] = React.useState(() => new SettingsKeeper(settings, (error) => callbacks.current.onError(error)))
  const given = React.useRef(settings)
  // Changes that were sent to the host and not confirmed yet. Its answers may come late and contain no news.
  const echoes = React.useRef<string[]>([])
  React.useEffect(() => {
    if (settings !== given.current) {
      given.current = settings
      const echo = echoes.current.indexOf(settings)
      if (echo === -1) keeper.replace(settings, host, state)
      echoes.current.splice(0, echo === -1 ? echoes.current.length : echo + 1)
    }
    const changed = state ? keeper.update(host, state) : undefined
    if (changed === undefined) return
    echoes.current.push(changed)
    callbacks.current.onChange?.(changed)
  }, [settings, host, state, keeper])
  return React.useCallback((handlerId, change) => keeper.change(host, handlerId, change), [host, keeper])
}

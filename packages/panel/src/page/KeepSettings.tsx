import * as React from 'react'

import type { PanelHost } from '../panel-host.ts'
import { useSettings } from '../settings/use-settings.ts'

interface KeepSettingsProps {
  host: PanelHost
  settings: string
  onChange: (settings: string) => void
}

const ignore = (): void => {}

/** Applies switches and overrides to a network that the panel does not show. The panel does this for the network it shows. */
export function KeepSettings({ host, settings, onChange }: KeepSettingsProps): null {
  const subscribe = React.useCallback((listener: () => void) => host.subscribe(listener), [host])
  const state = React.useSyncExternalStore(subscribe, () => host.getState())
  // The network may be closed. Then it needs no settings.
  useSettings({ host, state, settings, onChange, onError: ignore })
  return null
}

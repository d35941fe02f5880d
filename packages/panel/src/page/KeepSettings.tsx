import * as React from 'react'

import type { PanelHost } from '../panel-host.ts'
import { useSettings } from '../settings/use-settings.ts'

interface KeepSettingsProps {
  host: PanelHost
  settings: string
  onChange: (settings: string) => void
}

const ignore = (): void => {}

/** Keeps a network that is not shown in step with what is switched and forced, as the panel does with the one shown. */
export function KeepSettings({ host, settings, onChange }: KeepSettingsProps): null {
  const subscribe = React.useCallback((listener: () => void) => host.subscribe(listener), [host])
  const state = React.useSyncExternalStore(subscribe, () => host.getState())
  // A network that is gone by now needs none.
  useSettings({ host, state, settings, onChange, onError: ignore })
  return null
}

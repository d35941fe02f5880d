import * as React from 'react'

import type { Exchange } from './handler-code/exchange.ts'
import type { Kit } from './kit/kit.ts'
import type { PanelHost } from './panel-host.ts'
import type { Setting } from './settings/settings.ts'

/** The functions that every part of the panel can use. */
export interface PanelTools {
  readonly host: PanelHost
  readonly kit: Kit
  /** Enables or disables a handler, or sets its override. If that fails, the panel shows the error. */
  readonly change: (handlerId: number, change: Partial<Setting>) => void
  /**
   * Shows a dialog that saves exchanges as handlers, in one edit. `undefined` if the host cannot save handlers.
   *
   * @param exchanges the oldest first
   * @param onSaved called after the dialog has saved them and has closed
   */
  readonly save: ((exchanges: readonly Exchange[], onSaved?: () => void) => void) | undefined
  /** What views keep while another tab of the panel is open, by name. See `useKept`. */
  readonly kept: Map<string, unknown>
  /** Shows an error above the tabs. */
  readonly fail: (error: unknown) => void
  /** Announces a text to screen readers without interrupting them. */
  readonly announce: (text: string) => void
}

const PanelContext: React.Context<PanelTools | null> = React.createContext<PanelTools | null>(null)

export const PanelProvider: React.Provider<PanelTools | null> = PanelContext.Provider

export function usePanel(): PanelTools {
  const tools = React.useContext(PanelContext)
  if (!tools) throw new Error('Failed to render a part of the panel: it is outside of <Panel>. Put it inside. (US0842)')
  return tools
}

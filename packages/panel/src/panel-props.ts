import type { Kit } from './kit/kit.ts'
import type { PanelHost } from './panel-host.ts'
import type { PanelTheme } from './theme.ts'

/** The text of the panel if there are no handlers yet. */
export interface FirstHandlers {
  readonly text: string
  readonly code: string
}

/** The properties of {@link Panel}. */
export interface PanelProps {
  host: PanelHost
  /** Parts in place of the panel's own. Keep it the same object from one rendering to the next. */
  kit?: Partial<Kit> | undefined
  /** Colours and fonts in place of the panel's own, which follow the system's light or dark. */
  theme?: Partial<PanelTheme> | undefined
  /**
   * What is switched and forced, as text for a URL: see `formatSettings`. The panel applies it to handlers as they
   * come, and says by `onSettingsChange` what it becomes.
   */
  settings?: string | undefined
  /** How handlers come here, where there are none: a sentence, and code. Default: what a handlers module is. */
  firstHandlers?: FirstHandlers | undefined
  onSettingsChange?: ((settings: string) => void) | undefined
}

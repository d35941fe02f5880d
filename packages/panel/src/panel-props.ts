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
  /** Components that replace the panel's own. Pass the same object in each rendering. */
  kit?: Partial<Kit> | undefined
  /** Colors and fonts that replace the panel's own, which follow the system's light or dark mode. */
  theme?: Partial<PanelTheme> | undefined
  /**
   * Disabled handlers and overrides, as text for a URL: see `formatSettings`. The panel applies them to handlers when
   * they are added, and reports changes with `onSettingsChange`.
   */
  settings?: string | undefined
  /** The text to show if there are no handlers: a sentence, and code. Default: explains handlers modules. */
  firstHandlers?: FirstHandlers | undefined
  onSettingsChange?: ((settings: string) => void) | undefined
}

/**
 * Colors and fonts, as CSS values. They become custom properties: `text` is `--understudy-text`. The panel's own color of the
 * color scheme replaces keywords such as `inherit`, which say nothing about a color.
 */
export interface PanelTheme {
  /** The color scheme of the browser's form controls and scroll bars. */
  readonly colorScheme: 'light' | 'dark'
  readonly font: string
  readonly monospace: string
  readonly background: string
  /** The background of bars and of hovered elements. */
  readonly surface: string
  readonly border: string
  readonly text: string
  readonly muted: string
  /** The color of selected, focused and pressed elements. */
  readonly accent: string
  readonly positive: string
  readonly warning: string
  readonly negative: string
}

/** Converts a theme into custom properties of CSS. */
export function toCustomProperties({ colorScheme, ...values }: Partial<PanelTheme>): Record<string, string> {
  const properties = Object.entries(values).map(([name, value]): [string, string] => [`--understudy-${name}`, value])
  return { ...Object.fromEntries(properties), ...(colorScheme && { colorScheme }) }
}

import type { PanelTheme } from '@understudy/panel'
import { useMemo } from 'react'
import { useTheme, type StorybookTheme } from 'storybook/theming'

/** Converts Storybook's theme into the panel's. */
export function usePanelTheme(): PanelTheme {
  // The declared type of the function has no properties.
  const theme = useTheme() as unknown as StorybookTheme
  return useMemo(() => {
    const isDark = theme.base === 'dark'
    const { color, typography } = theme
    return {
      colorScheme: isDark ? 'dark' : 'light',
      font: typography.fonts.base,
      monospace: typography.fonts.mono,
      background: theme.background.content,
      surface: theme.background.app,
      border: theme.appBorderColor,
      text: color.defaultText,
      // The contrast of Storybook 9's own muted color is too low in the dark mode. The theme's color of text may be a keyword,
      // which cannot be mixed.
      muted: 'color-mix(in srgb, var(--us-text) 72%, transparent)',
      accent: isDark ? '#6fb8ff' : '#0063c2',
      positive: isDark ? '#7fd069' : '#2f6b1b',
      warning: isDark ? '#f0b54a' : '#8a4a0f',
      negative: isDark ? '#ff8a70' : '#b3300a',
    }
  }, [theme])
}

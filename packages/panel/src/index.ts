export type {
  BadgeProps,
  ButtonProps,
  CodeProps,
  EmptyStateProps,
  Kit,
  SelectProps,
  SliderProps,
  SwitchProps,
  TabsProps,
  TextFieldProps,
  Tone,
} from './kit/kit.ts'
export { Panel } from './Panel.tsx'
export type { PanelHost, PanelState, SourcePlace } from './panel-host.ts'
export type { PanelProps } from './panel-props.ts'
export { formatSettings, parseSettings, readSettings, type Setting, type Settings } from './settings/settings.ts'
export type { PanelTheme } from './theme.ts'

export type { PanelHost, PanelState, SourcePlace } from './panel-host.ts'
export type { PanelProps } from './panel-props.ts'
export type { PanelTheme } from './theme.ts'
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

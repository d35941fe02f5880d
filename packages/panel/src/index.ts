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
export { countProblems, describeProblems, type Problems } from './dock/count-problems.ts'
export { formatExcerpt } from './format-excerpt.ts'
export { LocatedHost, type LocatedSource, type LocateSources } from './located-host.ts'
export { Panel } from './Panel.tsx'
export type { HandlerSaver, PanelHost, PanelState, SourcePlace } from './panel-host.ts'
export type { FirstHandlers, PanelProps } from './panel-props.ts'
export { formatSettings, parseSettings, readSettings, type Setting, type Settings } from './settings/settings.ts'
export { checkAnswer, createSaver } from './save/create-saver.ts'
export type { PanelTheme } from './theme.ts'

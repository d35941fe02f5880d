import type { ComponentType, ReactNode } from 'react'

/** The meaning of a color. Colors are used only for these meanings. */
export type Tone = 'neutral' | 'positive' | 'information' | 'warning' | 'negative'

/** The properties of the kit's `Button`. */
export interface ButtonProps {
  children: ReactNode
  onClick: () => void
  /** Required if the content is not text, or is not clear enough. */
  ariaLabel?: string | undefined
  /** Whether a toggle button is pressed. */
  isPressed?: boolean | undefined
  /** Whether the element that the button opens is open. */
  isExpanded?: boolean | undefined
  isDisabled?: boolean | undefined
  tone?: Tone | undefined
  /** Whether it has a frame only while the pointer is over it. */
  isPlain?: boolean | undefined
}

/** The properties of the kit's `Badge`. */
export interface BadgeProps {
  children: ReactNode
  tone?: Tone | undefined
  /** The long description. */
  title?: string | undefined
}

/** The properties of the kit's `Tabs`. */
export interface TabsProps {
  ariaLabel: string
  tabs: readonly { readonly id: string; readonly title: string; readonly count?: number; readonly tone?: Tone }[]
  selected: string
  onSelect: (id: string) => void
  /** The content of the selected tab. */
  children: ReactNode
  /** The content at the end of the row of tabs. */
  tools?: ReactNode
}

/** The properties of the kit's `Switch`. */
export interface SwitchProps {
  ariaLabel: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** The properties of the kit's `Select`. */
export interface SelectProps {
  ariaLabel: string
  value: string
  options: readonly { readonly value: string; readonly label: string }[]
  onChange: (value: string) => void
}

/** The properties of the kit's `Slider`. */
export interface SliderProps {
  ariaLabel: string
  value: number
  min: number
  max: number
  step: number
  /** Formats a value: `1.5 s`. */
  format: (value: number) => string
  onChange: (value: number) => void
}

/** The properties of the kit's `TextField`. */
export interface TextFieldProps {
  ariaLabel: string
  value: string
  onChange: (value: string) => void
  placeholder?: string | undefined
}

/** The properties of the kit's `EmptyState`. */
export interface EmptyStateProps {
  title: string
  /** The possible actions. */
  children?: ReactNode
}

/** The properties of the kit's `Code`. */
export interface CodeProps {
  /** The code, which is shown unchanged. */
  children: string
  ariaLabel: string
}

/**
 * The components of the panel. A host with its own design passes its own components. Missing ones are the panel's.
 */
export interface Kit {
  readonly Button: ComponentType<ButtonProps>
  readonly Badge: ComponentType<BadgeProps>
  readonly Tabs: ComponentType<TabsProps>
  readonly Switch: ComponentType<SwitchProps>
  readonly Select: ComponentType<SelectProps>
  readonly Slider: ComponentType<SliderProps>
  readonly TextField: ComponentType<TextFieldProps>
  readonly EmptyState: ComponentType<EmptyStateProps>
  readonly Code: ComponentType<CodeProps>
}

import type { BadgeProps, ButtonProps, Kit } from '@understudy/panel'
import * as React from 'react'
import * as storybook from 'storybook/internal/components'

// Storybook 9 and 10.0 do not have this component, and their buttons have no ARIA names.
const { ToggleButton } = storybook as Partial<typeof storybook>

/** Storybook's own components, if their size fits the panel. */
export const kit: Partial<Kit> = { Badge, ...(ToggleButton && { Button }) }

function Badge({ children, tone = 'neutral', title }: BadgeProps): React.ReactElement {
  return (
    <span title={title}>
      <storybook.Badge compact status={tone === 'information' ? 'active' : tone}>
        {children}
      </storybook.Badge>
    </span>
  )
}

function Button(props: ButtonProps): React.ReactElement {
  const { children, onClick, ariaLabel, isPressed, isExpanded, isDisabled, isPlain } = props
  const common = {
    size: 'small',
    padding: 'small',
    variant: isPlain ? 'ghost' : 'outline',
    ariaLabel: ariaLabel ?? false,
    disabled: isDisabled ?? false,
    onClick,
  } as const
  if (isPressed !== undefined && ToggleButton) {
    return (
      <ToggleButton {...common} pressed={isPressed}>
        {children}
      </ToggleButton>
    )
  }
  return (
    <storybook.Button {...common} {...(isExpanded !== undefined && { 'aria-expanded': isExpanded })}>
      {children}
    </storybook.Button>
  )
}

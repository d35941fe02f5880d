import type { BadgeProps, ButtonProps, EmptyStateProps, Kit } from '@understudy/panel'
import * as React from 'react'
import * as storybook from 'storybook/internal/components'

/** Storybook's own parts, where it has them in the panel's measure. */
export const kit: Partial<Kit> = { Badge, Button, EmptyState }

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
  return (
    <storybook.Button
      size="small"
      padding="small"
      variant={isPlain ? 'ghost' : 'outline'}
      ariaLabel={ariaLabel ?? false}
      disabled={isDisabled ?? false}
      active={isPressed ?? false}
      {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
      {...(isExpanded !== undefined && { 'aria-expanded': isExpanded })}
      onClick={onClick}
    >
      {children}
    </storybook.Button>
  )
}

function EmptyState({ title, children }: EmptyStateProps): React.ReactElement {
  return <storybook.EmptyTabContent title={title} description={children} />
}

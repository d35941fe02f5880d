import * as React from 'react'

import type { ButtonProps } from './kit.ts'

export function Button(props: ButtonProps): React.ReactElement {
  const { children, onClick, ariaLabel, isPressed, isExpanded, isDisabled, tone, isPlain } = props
  return (
    <button
      type="button"
      className={isPlain ? 'us-button us-button-plain' : 'us-button'}
      data-tone={tone}
      aria-label={ariaLabel}
      title={ariaLabel}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      disabled={isDisabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

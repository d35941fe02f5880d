import * as React from 'react'

import type { BadgeProps } from './kit.ts'

export function Badge({ children, tone = 'neutral', title }: BadgeProps): React.ReactElement {
  return (
    <span className="us-badge" data-tone={tone} title={title}>
      {children}
    </span>
  )
}

import * as React from 'react'

import type { EmptyStateProps } from './kit.ts'

export function EmptyState({ title, children }: EmptyStateProps): React.ReactElement {
  return (
    <div className="us-empty">
      <h2 className="us-empty-title">{title}</h2>
      <div className="us-empty-text">{children}</div>
    </div>
  )
}

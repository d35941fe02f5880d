import * as React from 'react'

import type { CodeProps } from './kit.ts'

export function Code({ children, ariaLabel }: CodeProps): React.ReactElement {
  // Long lines scroll. Without a tab stop, keyboard users cannot scroll them.
  return (
    <pre className="us-code" role="group" aria-label={ariaLabel} tabIndex={0}>
      {children}
    </pre>
  )
}

import * as React from 'react'

import type { CodeProps } from './kit.ts'

export function Code({ children, ariaLabel }: CodeProps): React.ReactElement {
  // Long lines scroll: without a stop for the keyboard, nobody could read them by it.
  return (
    <pre className="us-code" role="group" aria-label={ariaLabel} tabIndex={0}>
      {children}
    </pre>
  )
}

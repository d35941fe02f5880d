import type { ReactElement } from 'react'

import './Loading.css'

/** Says what is awaited. It shows itself only when the wait is long enough to notice. */
export function Loading({ children }: { children: string }): ReactElement {
  return (
    <output className="loading">
      <span className="pulse" aria-hidden="true" />
      {children}
    </output>
  )
}

import type { ReactElement } from 'react'

import './Loading.css'

/** Names the data that loads. It appears only after a noticeable time. */
export function Loading({ children }: { children: string }): ReactElement {
  return (
    <output className="loading">
      <span className="pulse" aria-hidden="true" />
      {children}
    </output>
  )
}

import type { ReactElement } from 'react'

import './Ghostlight.css'

/** The lamp that stays lit on an empty stage. */
export function Ghostlight({ className = '' }: { className?: string }): ReactElement {
  return (
    <svg className={`ghostlight ${className}`} viewBox="0 0 32 48" aria-hidden="true">
      <circle className="halo" cx="16" cy="14" r="14" />
      <circle className="halo" cx="16" cy="14" r="9.5" />
      <circle className="bulb" cx="16" cy="14" r="5.5" />
      <path className="stand" d="M16 21v22M9 44h14" />
    </svg>
  )
}

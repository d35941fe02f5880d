import type { ReactElement } from 'react'

import './SiteFooter.css'

export function SiteFooter(): ReactElement {
  return (
    <footer className="site-footer">
      <p>The Ghostlight · 12 Ropewalk Yard · Box office open from noon until the curtain</p>
    </footer>
  )
}

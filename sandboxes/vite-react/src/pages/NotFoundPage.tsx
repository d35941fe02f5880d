import type { ReactElement } from 'react'

import { Link } from '../router.tsx'

import './NotFoundPage.css'

export function NotFoundPage({ children = 'This page is not in the programme.' }: { children?: string }): ReactElement {
  return (
    <div className="not-found-page">
      <title>Not found · The Ghostlight</title>
      <h1>The stage is empty</h1>
      <p>{children}</p>
      <Link to="/" className="button">
        See what’s on
      </Link>
    </div>
  )
}

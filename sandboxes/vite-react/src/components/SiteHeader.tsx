import type { ReactElement } from 'react'

import { Link } from '../router.tsx'
import { useSession } from '../session.tsx'
import { Ghostlight } from './Ghostlight.tsx'

import './SiteHeader.css'

export function SiteHeader(): ReactElement {
  const { user, signOut } = useSession()
  return (
    <header className="site-header">
      <Link to="/" className="wordmark" aria-label="The Ghostlight, home">
        <Ghostlight />
        <span>The Ghostlight</span>
      </Link>
      <nav aria-label="Main">
        <Link to="/">What’s on</Link>
        <Link to="/office">Office</Link>
      </nav>
      <div className="account">
        {user === null && <Link to="/sign-in">Sign in</Link>}
        {user && (
          <>
            <span className="user">
              <span className="visually-hidden">Signed in as </span>
              {user.name}
            </span>
            <button type="button" className="quiet" onClick={() => void signOut()}>
              Sign out
            </button>
          </>
        )}
      </div>
    </header>
  )
}

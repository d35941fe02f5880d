import { useEffect, useRef } from 'react'
import type { ReactElement } from 'react'

import type { Season } from './api/season.ts'
import { SiteFooter } from './components/SiteFooter.tsx'
import { SiteHeader } from './components/SiteHeader.tsx'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { OfficePage } from './pages/OfficePage.tsx'
import { PlayPage } from './pages/PlayPage.tsx'
import { PlaysPage } from './pages/PlaysPage.tsx'
import { SignInPage } from './pages/SignInPage.tsx'
import { usePath } from './router.tsx'
import { SessionProvider } from './session.tsx'

interface AppProps {
  seasonRequest: Promise<Season>
}

export function App({ seasonRequest }: AppProps): ReactElement {
  const path = usePath()
  const main = useRef<HTMLElement>(null)
  const lastPath = useRef(path)

  // On a new page, move the focus to the top for keyboards and screen readers.
  useEffect(() => {
    if (lastPath.current !== path) main.current?.focus()
    lastPath.current = path
  }, [path])

  return (
    <SessionProvider>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <SiteHeader />
      <main id="main" ref={main} tabIndex={-1}>
        {choosePage(path, seasonRequest)}
      </main>
      <SiteFooter />
    </SessionProvider>
  )
}

function choosePage(path: string, seasonRequest: Promise<Season>): ReactElement {
  if (path === '/') return <PlaysPage seasonRequest={seasonRequest} />
  if (path === '/office') return <OfficePage />
  if (path === '/sign-in') return <SignInPage />
  const playId = /^\/plays\/([^/]+)$/.exec(path)?.[1]
  if (playId) return <PlayPage key={playId} id={decodeURIComponent(playId)} />
  return <NotFoundPage />
}

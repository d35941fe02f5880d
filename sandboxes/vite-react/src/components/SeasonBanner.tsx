import { Suspense, use } from 'react'
import type { ReactElement } from 'react'

import type { Season } from '../api/season.ts'
import { FailureBoundary } from './FailureBoundary.tsx'
import { Ghostlight } from './Ghostlight.tsx'

import './SeasonBanner.css'

interface SeasonBannerProps {
  seasonRequest: Promise<Season>
}

export function SeasonBanner({ seasonRequest }: SeasonBannerProps): ReactElement {
  const plainTitle = <h1>What’s on</h1>
  return (
    <header className="season-banner">
      <div className="words">
        <FailureBoundary fallback={plainTitle}>
          <Suspense fallback={plainTitle}>
            <SeasonTitle seasonRequest={seasonRequest} />
          </Suspense>
        </FailureBoundary>
      </div>
      <Ghostlight />
    </header>
  )
}

function SeasonTitle({ seasonRequest }: SeasonBannerProps): ReactElement {
  const { name, years, motto } = use(seasonRequest)
  return (
    <>
      <h1>
        {name} <span className="years">{years}</span>
      </h1>
      <p>{motto}</p>
    </>
  )
}

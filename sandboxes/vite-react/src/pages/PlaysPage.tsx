import type { ReactElement } from 'react'

import { getPlays } from '../api/plays.ts'
import type { Season } from '../api/season.ts'
import { Failure } from '../components/Failure.tsx'
import { Loading } from '../components/Loading.tsx'
import { PlayCard } from '../components/PlayCard.tsx'
import { SeasonBanner } from '../components/SeasonBanner.tsx'
import { useRequest } from '../use-request.ts'

import './PlaysPage.css'

export function PlaysPage({ seasonRequest }: { seasonRequest: Promise<Season> }): ReactElement {
  const { state, retry } = useRequest('plays', getPlays)
  return (
    <>
      <title>What’s on · The Ghostlight</title>
      <SeasonBanner seasonRequest={seasonRequest} />
      {state.status === 'loading' && <Loading>Fetching the programme…</Loading>}
      {state.status === 'failed' && (
        <Failure title="The programme could not be loaded" error={state.error} onRetry={retry} />
      )}
      {state.status === 'loaded' && (
        <ul className="plays" aria-label="Plays">
          {state.data.map((play) => (
            <li key={play.id}>
              <PlayCard play={play} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

import type { SearchMatch } from '@understudy/engine/inspect'
import * as React from 'react'

/** Shows where the words of the filter were found in the details of a request, with the text around them. */
export function MatchHint({ matches }: { matches: readonly SearchMatch[] }): React.ReactElement | null {
  if (matches.length === 0) return null
  return (
    <span className="us-hint">
      {matches.map(({ word, place, before, found, after }) => (
        <React.Fragment key={word}>
          <span className="us-hint-place">{place}</span> {before}
          <mark className="us-mark">{found}</mark>
          {after}{' '}
        </React.Fragment>
      ))}
    </span>
  )
}

import * as React from 'react'

import { formatDuration } from '../format.ts'
import { useElapsed } from './use-elapsed.ts'

interface ElapsedProps {
  /** Milliseconds since 1970. */
  startedAt: number
  /** In milliseconds; `null` while the request is pending. */
  duration: number | null
}

/** Shows the time that a request took, or has taken so far. Only running times need effects: most rows have none. */
export function Elapsed({ startedAt, duration }: ElapsedProps): React.ReactElement {
  return duration === null ? <Running startedAt={startedAt} /> : <>{formatDuration(duration)}</>
}

function Running({ startedAt }: Pick<ElapsedProps, 'startedAt'>): React.ReactElement {
  return <>{formatDuration(useElapsed(startedAt, true))}</>
}

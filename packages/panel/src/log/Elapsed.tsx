import * as React from 'react'

import { formatDuration } from '../format.ts'
import { useElapsed } from './use-elapsed.ts'

interface ElapsedProps {
  /** Milliseconds since 1970. */
  startedAt: number
  /** In milliseconds; `null` while the request is pending. */
  duration: number | null
}

/** Shows the time that a request took, or has taken so far. */
export function Elapsed({ startedAt, duration }: ElapsedProps): React.ReactElement {
  const elapsed = useElapsed(startedAt, duration === null)
  return <>{formatDuration(duration ?? elapsed)}</>
}

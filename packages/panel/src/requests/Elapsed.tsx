import * as React from 'react'

import { formatDuration } from '../format.ts'

interface ElapsedProps {
  /** Milliseconds since 1970. */
  startedAt: number
  /** In milliseconds; `null` while the request is pending. */
  duration: number | null
}

/** Shows the time that a request took, or has taken so far. */
export function Elapsed({ startedAt, duration }: ElapsedProps): React.ReactElement {
  const [now, setNow] = React.useState(() => Date.now())
  const isRunning = duration === null
  React.useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  return <>{formatDuration(duration ?? Math.max(0, now - startedAt))}</>
}

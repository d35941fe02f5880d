import * as React from 'react'

/**
 * Returns the milliseconds since a time, again and again.
 *
 * @param startedAt milliseconds since 1970
 * @param isRunning whether the time still passes
 */
export function useElapsed(startedAt: number, isRunning: boolean): number {
  const [now, setNow] = React.useState(() => Date.now())
  React.useEffect(() => {
    if (!isRunning) return undefined
    // The row may have shown another request before.
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isRunning, startedAt])
  return Math.max(0, now - startedAt)
}

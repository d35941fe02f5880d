import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { formatDuration } from '../format.ts'
import { describeTiming } from '../log/describe-outcome.ts'
import { Elapsed } from '../log/Elapsed.tsx'
import { useElapsed } from '../log/use-elapsed.ts'
import { toPhases } from './to-phases.ts'

interface TimelineProps {
  request: LoggedRequest
  /** Whether the response of the network may still arrive. */
  isAwaited: boolean
}

/**
 * Shows when a handler matched, when the decision was made, and when the network answered: as a sentence, and as a bar for each
 * phase.
 */
export function Timeline({ request, isAwaited }: TimelineProps): React.ReactElement {
  const { startedAt, matchedAfter, outcome, duration, respondedAfter } = request
  const elapsed = useElapsed(startedAt, duration === null || (isAwaited && respondedAfter === null))
  const phases = toPhases(request, elapsed, isAwaited)
  const total = Math.max(1, phases.at(-1)?.end ?? 0)
  const toPercent = (time: number): string => `${((time / total) * 100).toFixed(2)}%`
  return (
    <>
      <span>
        {matchedAfter !== null && `matched after ${formatDuration(matchedAfter)}, `}
        {describeTiming(outcome)} <Elapsed startedAt={startedAt} duration={duration} />
        {respondedAfter !== null && `, network answered after ${formatDuration(respondedAfter)}`}
      </span>
      {/* The sentence contains the same times. */}
      <span className="us-timeline" aria-hidden="true">
        {phases.map(({ name, start, end, isRunning }) => (
          <React.Fragment key={name}>
            <span className="us-phase-name">{name}</span>
            <span className="us-phase-track">
              <span
                className="us-phase"
                data-phase={name}
                data-running={isRunning || undefined}
                style={{ insetInlineStart: toPercent(start), width: toPercent(end - start) }}
              />
            </span>
            <span className="us-phase-time">{formatDuration(end - start)}</span>
          </React.Fragment>
        ))}
      </span>
    </>
  )
}

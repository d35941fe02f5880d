import type { LoggedRequest } from '@understudy/engine/inspect'

/** A part of the time that a request takes, in milliseconds since its start. */
export interface Phase {
  /** `Match`: handlers are asked whether they match. */
  readonly name: 'Delay' | 'Match' | 'Network' | 'Resolver'
  readonly start: number
  /** The time until now if the phase has not ended. */
  readonly end: number
  readonly isRunning: boolean
}

/**
 * Divides the time of a request into phases, the first one first. Each phase begins where the previous one ends.
 *
 * @param elapsed the time since the start of the request, in milliseconds
 * @param isAwaited whether the response of the network may still arrive
 */
export function toPhases(request: LoggedRequest, elapsed: number, isAwaited: boolean): readonly Phase[] {
  const { matchedAfter, duration, respondedAfter, outcome, forced } = request
  const phases: Phase[] = []
  const add = (name: Phase['name'], end: number | null): void => {
    const start = phases.at(-1)?.end ?? 0
    phases.push({ name, start, end: Math.max(start, end ?? elapsed), isRunning: end === null })
  }
  add('Match', matchedAfter ?? duration)
  if (matchedAfter !== null) {
    const delayed = matchedAfter + (forced?.delay ?? 0)
    if (delayed > matchedAfter) add('Delay', duration === null ? delayed : Math.min(delayed, duration))
    add('Resolver', duration)
  }
  const isSent = outcome === 'passthrough' || outcome === 'unhandled'
  if (isSent && (respondedAfter !== null || isAwaited)) add('Network', respondedAfter)
  return phases
}

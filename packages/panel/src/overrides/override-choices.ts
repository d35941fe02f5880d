import type { Override } from '@understudy/engine/inspect'

/** Delays to choose from, in milliseconds: short ones differ by little, long ones by much. */
export const delays: readonly number[] = [0, 100, 250, 500, 1000, 2000, 3000, 5000, 10_000, 30_000]

/** Statuses to choose from. */
export const statuses: readonly (readonly [status: number, text: string])[] = [
  [200, 'OK'],
  [201, 'Created'],
  [204, 'No Content'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [409, 'Conflict'],
  [422, 'Unprocessable Content'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
]

/** Returns the index of the nearest delay in {@link delays}. */
export function nearestDelay(delay: number): number {
  const distances = delays.map((choice) => Math.abs(choice - delay))
  return distances.indexOf(Math.min(...distances))
}

/** Returns whether headers or the body were edited. */
export function isEdited(override: Override | null): boolean {
  return override?.headers !== undefined || override?.body !== undefined
}

/** Returns the forced answer: `'own'`, `'edited'` (with the handler's status), `'error'` or a status. */
export function readAnswer(override: Override | null): string {
  if (override?.networkError) return 'error'
  if (override?.status !== undefined) return String(override.status)
  return isEdited(override) ? 'edited' : 'own'
}

/** Returns an override with another answer; `null` if it no longer forces anything. */
export function withAnswer(override: Override | null, answer: string): Override | null {
  const { delay, headers, body, bodyEncoding } = override ?? {}
  const isStatus = /^\d+$/.test(answer)
  return orNull({
    ...(isStatus && headers && { headers }),
    ...(isStatus && body !== undefined && { body, ...(bodyEncoding && { bodyEncoding }) }),
    ...(delay !== undefined && { delay }),
    ...(answer === 'error' && { networkError: true }),
    ...(isStatus && { status: Number(answer) }),
  })
}

/** Returns an override with another delay; `null` if it no longer forces anything. */
export function withDelay(override: Override | null, delay: number): Override | null {
  const { delay: _, ...rest } = override ?? {}
  return orNull({ ...rest, ...(delay > 0 && { delay }) })
}

function orNull(override: Override): Override | null {
  return Object.keys(override).length > 0 ? override : null
}

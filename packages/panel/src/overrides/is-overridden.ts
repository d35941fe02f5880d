import type { InspectedHandler } from '@understudy/engine/inspect'

/** Returns whether a handler is disabled or has an override. */
export function isOverridden({ enabled, override }: Pick<InspectedHandler, 'enabled' | 'override'>): boolean {
  return !enabled || override !== null
}

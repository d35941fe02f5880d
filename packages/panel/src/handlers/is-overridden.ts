import type { InspectedHandler } from '@understudy/engine/inspect'

/** Whether a handler is switched off or has an override. */
export function isOverridden({ enabled, override }: Pick<InspectedHandler, 'enabled' | 'override'>): boolean {
  return !enabled || override !== null
}

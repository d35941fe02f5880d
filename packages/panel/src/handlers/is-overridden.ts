import type { InspectedHandler } from '@understudy/engine/inspect'

/** Whether somebody switched it off, or forced something on it. */
export function isOverridden({ enabled, override }: Pick<InspectedHandler, 'enabled' | 'override'>): boolean {
  return !enabled || override !== null
}

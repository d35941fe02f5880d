import type { PanelState } from '@understudy/panel'

/** The part of a saved exchange that names the handler that answered. */
interface Answered {
  readonly header?: string | null
  /** The line of the handler in its file; `null` if it is unknown. */
  readonly line?: number | null
}

/**
 * Returns the layers of the handlers that may have answered, such as `project` and `story`: those with the same header and
 * line, which may be in several files. Empty if no handler answered, or if it is unknown.
 */
export function findLayers({ header, line }: Answered, state: PanelState | null): readonly string[] {
  const { handlers = [], info } = state ?? {}
  return handlers
    .filter((each) => each.header === header && (each.origin?.line ?? null) === (line ?? null))
    .map(({ id }) => info?.labels.find((label) => label.id === id)?.layer ?? 'unknown')
}

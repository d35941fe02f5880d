import type { LoggedHandler } from '@understudy/engine/inspect'

/**
 * Removes the place of the handler from a reason: `GET /user (src/handlers.ts:3:1) threw`. The panel shows it beside the handler,
 * as a link, and in bundles it is not that of the source. Folders may contain parentheses and spaces.
 */
export function withoutPlace(reason: string, handler: LoggedHandler | null): string {
  if (!handler) return reason
  const { header } = handler
  const [before, ...named] = reason.split(`${header} (`)
  const rest = named.map((text) => text.replace(/^.+?:\d+:\d+\)|^/, (place) => (place ? '' : ' (')))
  return [before, ...rest].join(header)
}

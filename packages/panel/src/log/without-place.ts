import type { LoggedHandler } from '@understudy/engine/inspect'

/**
 * Removes the place of the handler from a reason: `GET /user (src/handlers.ts:3:1) threw`. The panel shows it beside the handler,
 * as a link, and in bundles it is not that of the source. Folders may contain parentheses and spaces.
 */
export function withoutPlace(reason: string, handler: LoggedHandler | null): string {
  if (!handler) return reason
  const [before = '', ...named] = reason.split(`${handler.header} (`)
  return named.reduce((text, rest) => {
    const [place] = /^[^\n]+?:\d+:\d+\)/.exec(rest) ?? []
    if (place === undefined) return `${text}${handler.header} (${rest}`
    return text + handler.header + rest.slice(place.length)
  }, before)
}

import { createPanelMiddleware } from '@understudy/panel/server'

import type { SourcePlaces } from './source-places.ts'

/**
 * Serves the panel of all pages of a dev server: pages of several compilers meet in it, and whichever it was opened
 * for, it knows where the handlers of each were written.
 *
 * @param base the public path under which it is
 * @param editorPath what the dev server opens files by; nothing, where it does not
 */
export function createPanel(
  base: string,
  places: readonly SourcePlaces[],
  editorPath: string | undefined,
): ReturnType<typeof createPanelMiddleware> {
  return createPanelMiddleware({
    base,
    editor: editorPath && `${editorPath}?fileName=`,
    async locate(place) {
      for (const each of places) {
        const located = await each.locate(place)
        if (located) return located
      }
      return undefined
    },
  })
}

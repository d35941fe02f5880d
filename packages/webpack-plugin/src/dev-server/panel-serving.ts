import { createPanelMiddleware, type PanelMiddlewareOptions } from '@understudy/panel/server'

import type { SourcePlaces } from './source-places.ts'

/**
 * Serves the panel for all pages of a dev server. One panel shows the pages of several compilers, and finds the source
 * positions of the handlers of each.
 *
 * @param base the public path of the panel
 * @param root the folder of the project
 * @param findHandlers finds the file into which the panel saves handlers
 * @param editor the URL that opens a file in the editor, up to the file's path; undefined if the dev server cannot open files
 */
export function createPanel(
  base: string,
  root: string,
  places: readonly SourcePlaces[],
  editor: string | undefined,
  findHandlers: PanelMiddlewareOptions['findHandlers'],
): ReturnType<typeof createPanelMiddleware> {
  return createPanelMiddleware({
    base,
    root,
    editor,
    findHandlers,
    async locate(place) {
      for (const each of places) {
        const located = await each.locate(place)
        if (located) return located
      }
      return undefined
    },
  })
}

import type { SetupWorker } from '@understudy/engine/internal/page'
import { fetchUnmocked, locatePrinted } from '@understudy/engine/internal/share'

import { locateSources } from '../sources/locate-sources.ts'

/** How long messages wait for a bundle, in milliseconds. */
const timeout = 10_000

/**
 * Prints messages with the positions in the sources. webpack and Rspack put the modules of stories into bundles, whose positions
 * stacks contain. (Vite serves modules, into which the preset writes the positions.)
 *
 * @returns a function that replaces the positions in a text
 */
export function locateMessages(worker: SetupWorker): (text: string) => Promise<string> {
  // The page runs the files as they were when it loaded them.
  const texts = new Map<string, Promise<string>>()
  const read = (url: string): Promise<string> => {
    // A message may contain the URL of a request, which must not reach the network.
    if (!isOwnScript(url)) return Promise.resolve('')
    const known =
      texts.get(url) ?? fetchUnmocked(url, { signal: AbortSignal.timeout(timeout) }).then((response) => response.text())
    texts.set(url, known)
    return known
  }
  const locateLines = locatePrinted(worker, (places) => locateSources(places, read))
  return (text) =>
    new Promise((resolve) => {
      locateLines(resolve)(text)
    })
}

/** Returns whether a URL is that of a script of this origin or its source map, which may be in the script. */
function isOwnScript(url: string): boolean {
  if (url.startsWith('data:')) return true
  const { origin, pathname } = new URL(url, location.href)
  return origin === location.origin && /\.[cm]?js(?:\.map)?$/.test(pathname)
}

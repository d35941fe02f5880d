import type { ServerResponse } from 'node:http'

import type { Connect, DevEnvironment, ViteDevServer } from 'vite'

/**
 * Errors of handlers that were edited again while they were compiled. Vite would show such an error after the page has the
 * fixed handlers, and until the next edit.
 */
export interface StaleErrors {
  /** Call this when a file of the handlers is edited, before pages get the update. */
  note(file: string): void
  /** Drops these errors. Pages request a module again after each edit, and an error that remains is reported then. */
  drop(server: ViteDevServer): () => void
}

export function createStaleErrors(): StaleErrors {
  let count = 0
  /** The number of edits up to the last one of each file. */
  const lastEdits = new Map<string, number>()
  /** The number of edits before each request of an update. */
  const starts = new WeakMap<Connect.IncomingMessage, number>()

  return {
    note(file) {
      lastEdits.set(file, (count += 1))
    },

    drop({ middlewares, environments }) {
      middlewares.use((request, _response, next) => {
        // Vite requests updates with this parameter.
        if (/[?&]t=\d/.test(request.url ?? '')) starts.set(request, count)
        next()
      })
      // Runs after Vite's middleware for modules, and before the one that reports errors.
      return () => {
        middlewares.use(
          (error: unknown, request: Connect.IncomingMessage, response: ServerResponse, next: Connect.NextFunction) => {
            const start = starts.get(request)
            if (start === undefined || start === count) {
              next(error)
              return
            }
            const path = pathOf(decodeURI(request.url ?? ''))
            const isEdited = [...lastEdits].some(
              ([file, edit]) => edit > start && listPaths(environments.client, file).includes(path),
            )
            if (isEdited) response.writeHead(500).end()
            else next(error)
          },
        )
      }
    },
  }
}

/** Returns the paths at which pages request a file. */
function listPaths({ moduleGraph }: DevEnvironment, file: string): string[] {
  return [...(moduleGraph.getModulesByFile(file) ?? [])].map(({ url }) => pathOf(url))
}

function pathOf(url: string): string {
  return url.replace(/\?.*/, '')
}

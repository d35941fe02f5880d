import { findHandlers } from '@understudy/engine/internal/dev'
import { createPanelMiddleware } from '@understudy/panel/server'

import { rootOf, type PresetOptions } from './project-handlers.ts'

/** The part of Storybook's development server that this uses, with any builder. */
interface ServerApp {
  use(middleware: ReturnType<typeof createPanelMiddleware>): unknown
}

/**
 * Lets the panel save handlers in the project's handlers module. Storybook calls this for its development server, after it has added the
 * check of the request's host.
 */
export function experimental_devServer(app: ServerApp, options: PresetOptions): ServerApp {
  const { handlers } = options
  if (handlers === false) return app
  const root = rootOf(options)
  app.use(
    createPanelMiddleware({
      base: '/',
      root,
      isEmbedded: true,
      // The manager reads the source maps that the builder serves.
      locate: () => Promise.resolve(undefined),
      // The file may be created later.
      findHandlers: () => findHandlers(root, handlers),
    }),
  )
  return app
}

import { findHandlers } from '@understudy/engine/internal/dev'
import { createPanelMiddleware, isOwnHost, type ConnectMiddleware } from '@understudy/panel/server'

import { rootOf, type PresetOptions } from './project-handlers.ts'

/** The part of Storybook's development server that this uses, with any builder. */
interface ServerApp {
  use(middleware: ConnectMiddleware): unknown
}

/** The options of Storybook's server. */
interface ServerOptions extends PresetOptions {
  /** The option `--host`. */
  readonly host?: string
  readonly presets: { apply(name: 'core'): Promise<{ readonly allowedHosts?: unknown } | undefined> }
}

/**
 * Lets the panel save handlers in the project's handlers module. Storybook calls this for its development server, after it has added the
 * check of the request's host. That check is off with `--host 0.0.0.0` and with `allowedHosts: true`, so requests are checked here, too.
 *
 * @param app missing if the preset of another addon has not returned it. Storybook does not need the returned value
 */
export async function experimental_devServer(
  app: ServerApp | undefined,
  options: ServerOptions,
): Promise<ServerApp | undefined> {
  const { handlers, host, presets } = options
  if (handlers === false || !app) return app
  const { allowedHosts } = (await presets.apply('core')) ?? {}
  const trusted = [host, ...(Array.isArray(allowedHosts) ? (allowedHosts as unknown[]) : [])].filter(isText)
  const root = rootOf(options)
  const save = createPanelMiddleware({
    base: '/',
    root,
    isEmbedded: true,
    // The manager reads the source maps that the builder serves.
    locate: () => Promise.resolve(undefined),
    // The file may be created later.
    findHandlers: () => findHandlers(root, handlers),
  })
  app.use((request, response, next) => {
    const { headers } = request
    if (isOwnHost(headers.host ?? headers[':authority'], trusted)) save(request, response, next)
    else next()
  })
  return app
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

import { styleText } from 'node:util'

import { createPanelMiddleware } from '@understudy/panel/server'
import type { Plugin, ViteDevServer } from 'vite'

import { pluginName, type Project } from '../project.ts'
import { locate } from './source-places.ts'

/** Serves the panel on the dev server, and prints its URL. */
export function panelServing(project: Project): Plugin {
  return {
    name: `${pluginName}:panel-serving`,
    enforce: 'pre',
    apply: 'serve',

    configureServer(server) {
      if (!project.isOn || !project.options.panel) return
      const { appPath, basePath } = project
      server.middlewares.use(
        createPanelMiddleware({
          base: appPath,
          editor: `${basePath}__open-in-editor?file=`,
          locate: (place) => locate(place, server, basePath),
          findHandlers: () => project.findHandlers(),
          ...(project.sharesServer && { serverChannel: project.serverChannel }),
        }),
      )
      printAddress(server)
    },
  }
}

/** Prints the panel's URL each time after Vite prints the server's URLs. */
function printAddress(server: ViteDevServer): void {
  const printUrls = server.printUrls.bind(server)
  server.printUrls = () => {
    printUrls()
    const [url] = [...(server.resolvedUrls?.local ?? []), ...(server.resolvedUrls?.network ?? [])]
    if (url === undefined) return
    const address = styleText('cyan', new URL('__understudy/', url).href)
    server.config.logger.info(`  ${styleText('green', '➜')}  ${styleText('bold', 'Understudy')}: ${address}`)
  }
}

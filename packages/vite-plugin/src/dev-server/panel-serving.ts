import { styleText } from 'node:util'

import { createPanelMiddleware } from '@understudy/panel/server'
import type { Plugin, ViteDevServer } from 'vite'

import { pluginName, type Project } from '../project.ts'
import { locate } from './source-places.ts'

/** The part of the context of Vite DevTools that the plugin uses. */
interface DevToolsContext {
  readonly docks: {
    register(entry: { id: string; title: string; icon: string; type: 'iframe'; url: string }): unknown
  }
}

/** A plugin that Vite DevTools (`@vitejs/devtools`) sets up, if the project uses it. */
interface PluginWithDevTools extends Plugin {
  readonly devtools: { setup(context: DevToolsContext): void }
}

/** Serves the panel on the dev server, prints its URL, and adds it to the docks of Vite DevTools. */
export function panelServing(project: Project): PluginWithDevTools {
  return {
    name: `${pluginName}:panel-serving`,
    enforce: 'pre',
    apply: 'serve',

    devtools: {
      setup({ docks }) {
        if (!project.isOn || !project.options.panel) return
        const url = `${project.appPath}__understudy/`
        docks.register({ id: 'understudy', title: 'Understudy', icon: dockIcon, type: 'iframe', url })
      },
    },

    configureServer(server) {
      if (!project.isOn || !project.options.panel) return
      const { appPath, basePath } = project
      server.middlewares.use(
        createPanelMiddleware({
          base: appPath,
          root: project.folder,
          editor: `${basePath}__open-in-editor?file=`,
          locate: (place) => locate(place, server, project),
          findHandlers: () => project.findHandlers(),
          ...(project.sharesServer && { serverChannel: project.serverChannel }),
        }),
      )
      printAddress(server)
    },
  }
}

/** The mask of the panel's button, in colors for light and dark themes. */
const dockIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" stroke-linecap="round">' +
    '<path fill="#5b7fe8" d="M2 3h12v4a6 6 0 0 1-12 0z"/>' +
    '<path fill="none" stroke="#fff" d="M5 7.5q1.2 1 2.2 0m1.6 0q1.2 1 2.2 0M6 10.2q2 1.4 4 0"/></svg>',
)}`

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

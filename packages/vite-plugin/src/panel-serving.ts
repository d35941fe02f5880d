import { SourceMap, type SourceMapPayload } from 'node:module'
import { relative } from 'node:path'
import { styleText } from 'node:util'

import { createPanelMiddleware, type LocatedPlace, type SourcePlace } from '@understudy/panel/server'
import type { Plugin, ViteDevServer } from 'vite'

import { pluginName, type Project } from './project.ts'

/** Serves the panel on the dev server, and says where. */
export function panelServing(project: Project): Plugin {
  return {
    name: `${pluginName}:panel-serving`,
    enforce: 'pre',
    apply: 'serve',

    configureServer(server) {
      if (!project.isOn || !project.options.panel) return
      const base = project.basePath
      server.middlewares.use(
        createPanelMiddleware({
          base,
          editor: `${base}__open-in-editor?file=`,
          locate: (place) => locate(place, server, base),
        }),
      )
      printAddress(server)
    },
  }
}

/** Says the panel's address after the server's own, whenever those are said. */
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

/**
 * Where the developer wrote what a page's stack names: the page knows modules as Vite made them.
 * Only modules that pages have loaded are known.
 */
async function locate(
  { file, line, column }: SourcePlace,
  { environments, config }: ViteDevServer,
  base: string,
): Promise<LocatedPlace | undefined> {
  if (!URL.canParse(file)) return undefined
  const { pathname, search } = new URL(file)
  if (!pathname.startsWith(base)) return undefined
  const query = search.replace(/([?&])t=\d+(?:&|$)/, '$1').replace(/[?&]$/, '')
  const url = `/${pathname.slice(base.length)}${query}`
  const module = await environments.client.moduleGraph.getModuleByUrl(decodeURI(url))
  if (!module?.file) return undefined
  const name = relative(config.root, module.file).replaceAll('\\', '/')
  return { path: module.file, name, ...toOriginal(module.transformResult?.map, line, column) }
}

function toOriginal(map: unknown, line: number, column: number): { line: number; column: number } {
  const { mappings } = (map ?? {}) as Partial<SourceMapPayload>
  if (!mappings) return { line, column }
  const entry = new SourceMap(map as SourceMapPayload).findEntry(line - 1, column - 1)
  return 'originalLine' in entry ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 } : { line, column }
}

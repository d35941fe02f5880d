import { relative, resolve as resolvePath } from 'node:path'

import { createPackagesPlugin, isInstalled } from '@understudy/engine/internal/dev'

import { createHandlersModule } from './handlers-module.ts'
import { createViteBuiltPlaces } from './places/vite-built-places.ts'
import { writtenPlaces } from './places/written-places.ts'
import { createHandlersSearch, declareOptions, listProjectPaths, type PresetOptions } from './project-handlers.ts'
import { watchHandlers, type ViteServer } from './watch-handlers.ts'

/** A hook. Without the filter, Vite's bundler calls it for every module, which takes much longer than the hook itself. */
interface Hook<Parameters extends unknown[], Result> {
  readonly filter: { readonly id?: RegExp; readonly code?: RegExp }
  readonly handler: (...args: Parameters) => Result | undefined
}

/** The parts of Vite's plugins that this one uses, in any version of Vite. Vite before 6.3 ignores filters. */
interface VitePlugin {
  name: string
  enforce: 'pre'
  configResolved(config: ResolvedViteConfig): void
  configureServer(server: ViteServer): void
  resolveId: Hook<[source: string, importer: string | undefined], string>
  load: Hook<[id: string], string>
  transform: Hook<[code: string, id: string], { code: string; map: null }>
}

/** The used part of a resolved configuration. Vite 5 has no environments. */
interface ResolvedViteConfig {
  readonly root: string
  readonly plugins: readonly { readonly name: string }[]
  readonly environments?: {
    readonly client?: { readonly dev: { readonly warmup: string[] }; readonly optimizeDeps: { noDiscovery?: boolean } }
  }
}

interface ViteConfig {
  root?: string
  plugins?: unknown[]
  optimizeDeps?: { include?: string[]; exclude?: string[] }
  resolve?: { dedupe?: string[] }
}

const pluginName = '@understudy/storybook-addon'
const virtualId = '\0virtual:understudy/storybook-handlers'
/** The import that is replaced, and the call in a setup file. */
const handlersImport = /\/project-handlers\.[jt]s$/
const annotationsCall = /\bsetProjectAnnotations\s*\(/

/** Adds the project's handlers to the preview. Storybook calls it several times. */
export function viteFinal(config: ViteConfig, options: PresetOptions): ViteConfig {
  const plugins = config.plugins ?? []
  if (plugins.flat(Infinity).some((plugin) => (plugin as VitePlugin | null)?.name === pluginName)) return config
  const { root, optimizeDeps = {}, resolve = {} } = config
  // Vite 6 and 7 look for a deduplicated package only in the root. It may be missing there, see `isInstalled()`.
  const dedupe = isInstalled('@understudy/engine', root) ? ['@understudy/engine'] : []
  return {
    ...config,
    plugins: [
      ...plugins,
      createPlugin(options),
      // In Vitest, the first plugin does this.
      createPackagesPlugin(
        `${pluginName}:handler-packages`,
        () => createHandlersSearch(options)().file?.path,
        (resolved) => !isOfVitest(resolved.plugins),
      ),
      writtenPlaces,
      createViteBuiltPlaces(),
    ],
    resolve: { ...resolve, dedupe: [...(resolve.dedupe ?? []), ...dedupe] },
    optimizeDeps: {
      ...optimizeDeps,
      // The plugin replaces one of its modules. The optimizer would bundle the original.
      exclude: [...(optimizeDeps.exclude ?? []), pluginName],
      // If Vite finds them late, it reloads the page during its first load.
      include: [
        ...(optimizeDeps.include ?? []),
        `${pluginName} > @understudy/engine`,
        `${pluginName} > @understudy/engine/inspect`,
        `${pluginName} > @understudy/engine/internal/page`,
      ],
    },
  }
}

function createPlugin(options: PresetOptions): VitePlugin {
  const search = createHandlersSearch(options)
  let isServed = false
  let areMissing = false

  return {
    name: pluginName,
    enforce: 'pre',
    configResolved({ root, plugins, environments }) {
      const { client } = environments ?? {}
      if (!client || !isOfVitest(plugins) || client.optimizeDeps.noDiscovery === true) return
      const { file } = search()
      if (!file) return
      // No story imports the handlers, so Vite would find the packages that they import only when a test runs. It reloads the tests then,
      // and they fail. Relative to the root: Vite takes a path with parentheses for a pattern.
      client.dev.warmup.push(relative(root, file.path).replaceAll('\\', '/'))
    },
    configureServer(server) {
      // A file that is created during a run of tests does not change its stories.
      if (isOfVitest(server.config.plugins)) return
      isServed = true
      search()
      watchHandlers(server, { id: virtualId, paths: listProjectPaths(options), areMissing: () => areMissing })
    },
    resolveId: {
      filter: { id: handlersImport },
      handler(source, importer) {
        const isOurs = handlersImport.test(source) && /\/preview\/[\w-]+\.[jt]s(?:\?|$)/.test(importer ?? '')
        return isOurs && isOfAddon(importer ?? '') ? virtualId : undefined
      },
    },
    load: {
      // A NUL character is hard to see in an expression.
      filter: { id: /^.virtual:understudy\/storybook-handlers$/ },
      handler(id) {
        if (id !== virtualId) return undefined
        const found = search()
        if (found.missing && !isServed) throw new Error(found.missing.reason)
        areMissing = !found.file
        return [declareOptions(options), createHandlersModule(found, isServed)].join('\n')
      },
    },
    transform: {
      filter: { code: annotationsCall },
      handler(code, id) {
        // If the project has a setup file, Storybook's Vitest plugin does not add the annotations of addons.
        const isSetUp = annotationsCall.test(code) && isInFolder(id, options.configDir)
        return isSetUp ? { code: `${code}\n;${checkAnnotations}`, map: null } : undefined
      },
    },
  }
}

function isOfVitest(plugins: readonly { readonly name: string }[]): boolean {
  return plugins.some(({ name }) => /^vitest(?:$|:)/.test(name))
}

function isInFolder(id: string, folder: string): boolean {
  return id.replaceAll('\\', '/').startsWith(`${resolvePath(folder).replaceAll('\\', '/')}/`)
}

/**
 * Runs after a setup file. Prints a warning if its annotations do not include the addon, so that stories run unmocked.
 */
const checkAnnotations = `(() => {
  const { loaders = [] } = globalThis.globalProjectAnnotations ?? {}
  if ([loaders].flat().some((loader) => loader?.[Symbol.for('understudy:storybook-loader')])) return
  console.warn(${JSON.stringify(
    '[understudy] Failed to mock requests from stories: this setup file calls setProjectAnnotations without the addon. ' +
      "Add it before the preview: import * as addon from '@understudy/storybook-addon/preview', then " +
      'setProjectAnnotations([addon, preview]). (US0908)',
  )})
})()`

/** Returns whether a module belongs to this package, wherever it is installed. */
function isOfAddon(path: string): boolean {
  return path.replaceAll('\\', '/').includes('storybook-addon/')
}

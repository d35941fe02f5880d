import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

import { describeLeak } from '@understudy/engine/internal/dev'
import type { Plugin, Rollup } from 'vite'

import { hasPlugin } from '../has-plugin.ts'
import { pluginName, type Project } from '../project.ts'
import { findImportChain, type ImportedModule } from './find-import-chain.ts'

const enginePackage = '@understudy/engine'
/**
 * The folder of the plugin's engine. If the app uses the same engine, its modules are in this folder, even if the
 * package is linked.
 */
const engineFolder = `${toModuleId(dirname(dirname(createRequire(import.meta.url).resolve(`${enginePackage}/worker`))))}/`

/**
 * Looks for handlers and for the engine in the output of a build without mocks. Only written code counts: code that the
 * bundler drops (types, a branch behind `import.meta.env.DEV`, unused exports) is not a leak.
 */
export function leakCheck(project: Project): Plugin {
  const inWorkers = checkBundles(project)
  return {
    ...inWorkers,
    name: `${pluginName}:leak-check`,
    apply: 'build',

    config() {
      // Vite bundles each worker in a separate build, which the app's plugins do not see.
      return { worker: { plugins: () => [inWorkers] } }
    },

    configResolved(config) {
      // Rollup refuses to write the engine, which has dynamic imports, into the single file of a classic worker.
      // Rolldown, in Vite 8, puts everything into one file.
      const worker: WorkerOptions = config.worker
      if (worker.rolldownOptions || worker.format !== 'iife') return
      for (const output of [(worker.rollupOptions.output ??= {})].flat()) output.inlineDynamicImports ??= true
    },
  }
}

/** The options of workers in all versions of Vite. */
interface WorkerOptions {
  readonly format: string
  readonly rollupOptions: { output?: OutputOptions | OutputOptions[] }
  readonly rolldownOptions?: object
}

interface OutputOptions {
  inlineDynamicImports?: boolean
}

/** Checks one build: that of the app, a worker or a worklet. */
function checkBundles(project: Project): Pick<Plugin, 'name' | 'generateBundle'> {
  return {
    name: `${pluginName}:leak-check-of-workers`,

    generateBundle(_options, bundle) {
      // The build of a Storybook contains stories, which have handlers.
      if (project.isOn || hasPlugin(project.config.plugins, 'storybook:')) return
      const { written, externals } = readBundle(bundle)
      const handlers = findHandlersIds(project)
      const leaked =
        [...written].find((id) => handlers.includes(clean(id))) ??
        [...written].find(isOfEngine) ??
        [...externals].find((id) => id === enginePackage || id.startsWith(`${enginePackage}/`))
      if (leaked === undefined) return
      const readModule = (id: string): Rollup.ModuleInfo | null => this.getModuleInfo(id)
      const read = (id: string): ImportedModule | null =>
        externals.has(id) ? describeExternal(id, written, readModule) : readModule(id)
      const chain = findImportChain(leaked, read, written)
      const { message } = describeLeak(nameModules(chain, project.folder))
      if (project.options.leaks === 'warn') this.warn(message)
      else this.error(message)
    },
  }
}

/** Returns the modules whose code is in a bundle, and its external imports. */
function readBundle(bundle: Rollup.OutputBundle): { written: Set<string>; externals: Set<string> } {
  const written = new Set<string>()
  const externals = new Set<string>()
  for (const file of Object.values(bundle)) {
    if (file.type !== 'chunk') continue
    for (const [id, { renderedLength }] of Object.entries(file.modules)) if (renderedLength > 0) written.add(id)
    for (const name of [...file.imports, ...file.dynamicImports]) if (!(name in bundle)) externals.add(name)
  }
  return { written, externals }
}

/** Rolldown has no data of external modules. Use the modules that import them. */
function describeExternal(
  id: string,
  written: ReadonlySet<string>,
  read: (id: string) => Rollup.ModuleInfo | null,
): ImportedModule {
  const importersBy = (list: 'importedIds' | 'dynamicallyImportedIds'): string[] =>
    [...written].filter((each) => read(each)?.[list].includes(id))
  return {
    isEntry: false,
    importers: importersBy('importedIds'),
    dynamicImporters: importersBy('dynamicallyImportedIds'),
  }
}

/**
 * Returns the possible ids of the handlers module, because the root may be a symbolic link. Empty if there is no such
 * module.
 */
function findHandlersIds(project: Project): string[] {
  try {
    const { path } = project.findHandlers()
    return [path, toModuleId(realpathSync(path))]
  } catch {
    return []
  }
}

function isOfEngine(id: string): boolean {
  return id.startsWith(engineFolder) || id.includes(`/node_modules/${enginePackage}/`)
}

/**
 * Returns the names of modules for messages: relative to the project's folder, the engine by its package, and all parts of one file
 * as that file.
 */
function nameModules(chain: readonly string[], folder: string): string[] {
  const names = chain.map((id) => {
    if (isOfEngine(id)) return enginePackage
    const path = clean(id).replace('\0', '')
    return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
  })
  return names.filter((name, i) => name !== names[i - 1])
}

/** Removes the query with which plugins distinguish parts of a file. */
function clean(id: string): string {
  return id.replace(/\?.*$/, '')
}

function toModuleId(path: string): string {
  return path.replaceAll('\\', '/')
}

import { posix } from 'node:path'

import { findEntries, readGateScript } from '@understudy/engine/internal/dev'
import type { Plugin, ResolvedConfig } from 'vite'

import { onlyFor } from '../hook-filter.ts'
import { pluginName, type Project } from '../project.ts'
import { bootstrapId, entryId, virtual } from '../virtual-modules.ts'

const isModule = /\.[cm]?[jt]sx?$/

/**
 * Adds the gate and the bootstrap module to entries that are in no HTML page of Vite, because another server renders
 * the tags. Modules run in the order of their imports, so the gate is the first import of the entry.
 */
export function pageEntries(project: Project): Plugin[] {
  /** The files of the entries. */
  let entries = new Set<string>()
  // Vite reads it after the hook `configResolved`.
  const entriesFilter = onlyFor()
  const gateFile = (): string => posix.join(project.config.build.assetsDir, 'understudy-gate.js')

  return [
    {
      name: `${pluginName}:page-entries`,
      enforce: 'pre',

      configResolved(config) {
        try {
          entries = new Set(project.mocksPages ? findEntryFiles(project, config) : [])
          entriesFilter.id = onlyFor(...entries).id
        } catch (error) {
          project.optionsError ??= error as Error
        }
      },

      buildStart() {
        if (entries.size === 0 || this.environment.config.command === 'serve') return
        if (this.environment.config.consumer !== 'client') return
        this.emitFile({ type: 'asset', fileName: gateFile(), source: readGateScript() })
      },

      resolveId: { filter: onlyFor(entryId), handler: (id) => (id === entryId ? virtual(id) : undefined) },

      load: {
        filter: onlyFor(virtual(entryId)),
        handler(id) {
          if (id !== virtual(entryId)) return undefined
          const gate = project.config.command === 'serve' ? readGateScript() : ''
          // Workers may share the modules of an entry, but have no page to mock.
          return `${gate}\nif (typeof document === 'object') import(${JSON.stringify(bootstrapId)})`
        },
      },

      transform: {
        filter: entriesFilter,
        handler(code, id) {
          if (!entries.has(id) || this.environment.config.consumer !== 'client') return undefined
          // Insert it on the same line, so that all lines keep their numbers.
          return { code: `import ${JSON.stringify(entryId)};${code}`, map: null }
        },
      },
    },
    {
      name: `${pluginName}:entry-gate`,
      enforce: 'post',
      apply: 'build',

      renderChunk: {
        // Do this after the bundler has ordered the imports of the chunk, in which those of shared chunks come first.
        order: 'post',
        handler(code, { facadeModuleId, fileName, isEntry }, { format }) {
          if (!isEntry || facadeModuleId === null || !entries.has(facadeModuleId)) return undefined
          if (this.environment.config.consumer !== 'client') return undefined
          if (format !== 'es') return { code: `${readGateScript().trimEnd()};${code}`, map: null }
          const path = posix.relative(posix.dirname(fileName), gateFile())
          return { code: `import ${JSON.stringify(path.startsWith('.') ? path : `./${path}`)};${code}`, map: null }
        },
      },
    },
  ]
}

interface BundlerOptions {
  input?: string | string[] | Record<string, string>
}

/** Returns the entries of the option, or those of Vite's configuration if it has no HTML page. */
function findEntryFiles({ options }: Project, config: ResolvedConfig): string[] {
  if (options.entry) return findEntries(config.root, options.entry).map(({ path }) => path)
  // Vite 6 and 7 have only the second option.
  const bundlerOptions: { rolldownOptions?: BundlerOptions; rollupOptions?: BundlerOptions } = config.build
  const { input } = bundlerOptions.rolldownOptions ?? bundlerOptions.rollupOptions ?? {}
  if (input === undefined || config.build.lib || config.build.ssr) return []
  const inputs = typeof input === 'string' ? [input] : Object.values(input)
  if (inputs.some((each) => each.endsWith('.html'))) return []
  return findEntries(
    config.root,
    inputs.filter((each) => isModule.test(each)),
  ).map(({ path }) => path)
}

import type { Plugin, ResolvedConfig } from 'vite'

import { hasPlugin } from '../has-plugin.ts'
import { pluginName, type Project } from '../project.ts'
import { nuxtId, virtual } from '../virtual-modules.ts'

/** Returns whether Nuxt runs Vite. Nuxt renders pages in another thread, and serves them outside Vite's base path. */
export function isOfNuxt(config: Pick<ResolvedConfig, 'plugins'>): boolean {
  return hasPlugin(config.plugins, 'nuxt:')
}

/**
 * Answers the requests that Nuxt makes while it renders. Nuxt evaluates the entry of its server in a separate thread,
 * and again whenever a module changes. The entry imports the handlers first.
 */
export function nuxtRendering(project: Project): Plugin {
  /** The entries of both sides, if Nuxt has a dev server for each side. */
  const entries = new Set<string>()
  return {
    name: `${pluginName}:nuxt-rendering`,
    apply: 'serve',
    enforce: 'pre',

    configResolved(config) {
      if (!project.isOn || !isOfNuxt(config)) return
      project.options.worker.scope ??= '/'
      if (project.options.ssr) for (const entry of findEntryFiles(config)) entries.add(entry)
    },

    resolveId: (id) => (id === nuxtId ? virtual(id) : undefined),

    load(id) {
      if (id !== virtual(nuxtId)) return undefined
      const { path, name } = project.findHandlers()
      const { onUnhandledRequest } = project.options
      const share = `shareServer(globalThis[key], ${JSON.stringify(project.serverChannel)})`
      return `import { createRenderMocking } from '@understudy/engine/internal/node'
import { shareServer } from '@understudy/engine/inspect'
const key = Symbol.for('understudy.nuxt')
if (!globalThis[key]) {
  globalThis[key] = createRenderMocking({ ...${JSON.stringify({ file: name, onUnhandledRequest })}, isOfApp: () => true })
  globalThis[key].start()
  ${project.sharesServer ? share : ''}
}
try {
  await globalThis[key].take(await import(${JSON.stringify(path)}))
} catch (error) {
  console.error('[understudy] ' + globalThis[key].fail(error).message)
}
`
    },

    transform(code, id) {
      if (this.environment.config.consumer !== 'server' || !entries.has(id)) return undefined
      // Insert it on the same line, so that all lines keep their numbers.
      return { code: `import ${JSON.stringify(nuxtId)};${code}`, map: null }
    },
  }
}

interface BundlerOptions {
  input?: string | string[] | Record<string, string>
}

function findEntryFiles({ environments, build }: ResolvedConfig): string[] {
  const options: { rolldownOptions?: BundlerOptions; rollupOptions?: BundlerOptions }[] = [build]
  if (environments['ssr']) options.push(environments['ssr'].build)
  return options.flatMap(({ rolldownOptions, rollupOptions }) => {
    const { input = [] } = rolldownOptions ?? rollupOptions ?? {}
    return typeof input === 'string' ? [input] : Object.values(input)
  })
}

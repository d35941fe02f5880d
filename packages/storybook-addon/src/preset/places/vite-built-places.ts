import { dirname, resolve } from 'node:path'

import { builtPlacesFile, type BuiltPlaces } from '../../events.ts'
import { listBuiltPlaces, type BuiltMap } from './built-places.ts'

/** The parts of Vite's plugins that this one uses, in any version of Vite. */
interface VitePlugin {
  readonly name: string
  readonly apply: 'build'
  readonly enforce: 'post'
  config(config: { build?: { sourcemap?: unknown } }): { build: { sourcemap: 'hidden' } } | undefined
  readonly generateBundle: {
    readonly order: 'post'
    handler(
      this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): string },
      options: { dir?: string | undefined },
      bundle: Record<string, Chunk | { readonly type: 'asset' }>,
    ): void
  }
}

interface Chunk {
  readonly type: 'chunk'
  readonly fileName: string
  readonly code: string
  readonly map?: BuiltMap | null
}

/**
 * Writes a file into a Storybook that Vite builds, which says where the developer wrote the handlers. The panel shows
 * these places instead of those in the bundle. Source maps are removed again unless the project wants them.
 */
export function createViteBuiltPlaces(): VitePlugin {
  let wantsMaps = false
  return {
    name: '@understudy/storybook-addon:built-places',
    apply: 'build',
    enforce: 'post',
    config({ build }) {
      wantsMaps = Boolean(build?.sourcemap)
      return wantsMaps ? undefined : { build: { sourcemap: 'hidden' } }
    },
    generateBundle: {
      order: 'post',
      handler({ dir = '' }, bundle) {
        const places: BuiltPlaces = {}
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !chunk.map) continue
          const folder = dirname(resolve(dir, chunk.fileName))
          const found = listBuiltPlaces(chunk.code, chunk.map, (source) => resolve(folder, source))
          if (Object.keys(found).length > 0) places[chunk.fileName] = found
        }
        this.emitFile({ type: 'asset', fileName: builtPlacesFile, source: JSON.stringify(places) })
        if (wantsMaps) return
        for (const name of Object.keys(bundle)) if (name.endsWith('.js.map')) delete bundle[name]
      },
    },
  }
}

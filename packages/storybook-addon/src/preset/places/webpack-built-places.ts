import { dirname, join, resolve } from 'node:path'

import { builtPlacesFile, type BuiltPlaces } from '../../events.ts'
import { listBuiltPlaces, type BuiltMap } from './built-places.ts'

interface Source {
  source(): string | Buffer
}

interface Asset {
  readonly name: string
  readonly source: Source
  readonly info: { readonly related?: { readonly sourceMap?: string | string[] } }
}

interface Compilation {
  readonly outputOptions: { readonly path?: string }
  readonly hooks: {
    readonly processAssets: { tap(options: { name: string; stage: number }, listener: () => void): void }
  }
  getAssets(): readonly Asset[]
  getAsset(name: string): Asset | undefined
  emitAsset(name: string, source: Source): void
  deleteAsset(name: string): void
}

/** The parts of webpack's compiler that the plugin uses. */
interface Compiler {
  readonly webpack: {
    readonly Compilation: { readonly PROCESS_ASSETS_STAGE_REPORT: number }
    readonly sources: { readonly RawSource: new (text: string) => Source }
  }
  readonly hooks: {
    readonly thisCompilation: { tap(name: string, listener: (compilation: Compilation) => void): void }
  }
}

const pluginName = '@understudy/storybook-addon:built-places'

/**
 * Writes a file into a Storybook that webpack builds, which says where the developer wrote the handlers. The panel shows
 * these places instead of those in the bundle.
 *
 * @param wantsMaps whether the project wants source maps. If it does not, they are removed again
 */
export function createWebpackBuiltPlaces(wantsMaps: boolean): { apply(compiler: Compiler): void } {
  return {
    apply({ webpack, hooks }) {
      hooks.thisCompilation.tap(pluginName, (compilation) => {
        const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT
        compilation.hooks.processAssets.tap({ name: pluginName, stage }, () => {
          const places = readPlaces(compilation, wantsMaps)
          compilation.emitAsset(builtPlacesFile, new webpack.sources.RawSource(JSON.stringify(places)))
        })
      })
    },
  }
}

function readPlaces(compilation: Compilation, keepsMaps: boolean): BuiltPlaces {
  const places: BuiltPlaces = {}
  const { path: output = '' } = compilation.outputOptions
  for (const { name, source, info } of compilation.getAssets()) {
    for (const mapName of [info.related?.sourceMap ?? []].flat()) {
      const map = compilation.getAsset(mapName)
      if (!map) continue
      const found = listBuiltPlaces(text(source), JSON.parse(text(map.source)) as BuiltMap, (written) =>
        toPath(written, dirname(join(output, mapName))),
      )
      if (Object.keys(found).length > 0) places[name] = found
      if (!keepsMaps) compilation.deleteAsset(mapName)
    }
  }
  return places
}

function text(source: Source): string {
  return source.source().toString()
}

/**
 * `webpack://name/./src/mocks/handlers.ts`, after the name of the app's package, is relative to the project. Rsbuild writes paths
 * relative to the source map.
 */
function toPath(source: string, folder: string): string {
  const inProject = source.replace(/^webpack:\/\/(?:@[^/]*\/)?[^/]*\//, '')
  return inProject === source ? resolve(folder, source) : resolve(inProject)
}

import { readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join, posix, relative } from 'node:path'

import { failure } from '@understudy/engine/internal/dev'
import type { LocatedPlace, SourcePlace } from '@understudy/panel/server'

import type { Compilation, Module, Source } from '../compiler.ts'
import { isBeside } from '../module-paths.ts'
import { pluginName, type Project } from '../project.ts'
import { findSameCall } from './same-call.ts'

/**
 * Finds the source positions of places in a page's stack. A stack contains modules if they are evaluated one by one
 * (for example `devtool: 'eval'`), and files of the output otherwise. Only modules of the last compilation are found.
 */
export class SourcePlaces {
  readonly #project: Project
  /** The output of the last compilation. Pending while Rspack compiles, because it drops the compilation before. */
  #output: Promise<Output> = Promise.resolve({ modules: [], codes: noCodes })
  /** The source maps of output files that were requested so far. */
  #maps = new Map<string, Promise<SourceMap | undefined>>()
  /** The results of searches in the modules of a compilation, by the searched name. */
  readonly #found = new WeakMap<readonly NamedModule[], Map<string, string | undefined>>()

  constructor(project: Project) {
    this.#project = project
    const { hooks, options, rspack } = project.compiler
    let settle: ((output: Output) => void) | undefined
    if (rspack) {
      hooks.compile.tap(pluginName, () => {
        if (settle) return
        const { promise, resolve } = Promise.withResolvers<Output>()
        this.#output = promise
        settle = resolve
      })
      hooks.failed.tap(pluginName, () => {
        settle?.({ modules: [], codes: noCodes })
        settle = undefined
      })
    }
    hooks.done.tap(pluginName, ({ compilation }) => {
      this.#maps.clear()
      const isEvaluated = /eval/.test(String(options.devtool))
      // Reading the modules of Rspack takes a third of a rebuild, so read them when a panel asks. webpack drops the code when a
      // compilation is done.
      const output = rspack ? readLater(compilation, isEvaluated) : readNow(compilation, isEvaluated)
      if (!settle) this.#output = Promise.resolve(output)
      settle?.(output)
      settle = undefined
    })
    // Rspack's modules cannot be changed.
    if (rspack) return
    hooks.compilation.tap(pluginName, (compilation) => {
      compilation.hooks.buildModule.tap(pluginName, (module) => traceHandlers(module, project))
    })
  }

  async locate(place: SourcePlace): Promise<LocatedPlace | undefined> {
    return /^https?:/.test(place.file) ? this.#locateInOutput(place) : this.#locateInModule(place)
  }

  async #locateInOutput({ file, line, column }: SourcePlace): Promise<LocatedPlace | undefined> {
    const { basePath } = this.#project
    const pathname = URL.canParse(file) ? decode(new URL(file).pathname) : ''
    const name = pathname.slice(basePath.length)
    // A decoded name may refer to a file outside the output's folder.
    if (!pathname.startsWith(basePath) || /(?:^|[\\/])\.\.(?:[\\/]|$)|\0/.test(name)) return undefined
    const known = this.#maps.get(name) ?? this.#readMap(name)
    this.#maps.set(name, known)
    const entry = (await known)?.findEntry(line - 1, column - 1)
    if (!entry || !('originalSource' in entry)) return undefined
    const resource = this.#find(entry.originalSource, (await this.#output).modules)
    return resource === undefined
      ? undefined
      : this.#toPlace(resource, entry.originalLine + 1, entry.originalColumn + 1)
  }

  /** Reads the source map of an output file: inline, or in a file next to it. */
  async #readMap(name: string): Promise<SourceMap | undefined> {
    const text = await this.#readOutput(name).catch(() => '')
    const [, named = `${posix.basename(name)}.map`] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text.slice(-1e6)) ?? []
    const [, inline] = /\/\/# sourceMappingURL=data:[^,]*;base64,(\S+)\s*$/.exec(text) ?? []
    try {
      const json = inline
        ? Buffer.from(inline, 'base64').toString()
        : await this.#readOutput(posix.join(posix.dirname(name), decodeURI(named)))
      return new SourceMap(JSON.parse(json) as SourceMapPayload)
    } catch {
      return undefined
    }
  }

  #readOutput(name: string): Promise<string> {
    const { outputFileSystem, outputPath } = this.#project.compiler
    return new Promise((resolve, reject) => {
      if (!outputFileSystem) {
        throw failure('US0806', 'read the output', 'the compiler has not written it yet', 'Wait for the compilation.')
      }
      outputFileSystem.readFile(join(outputPath, name), (error, content) => {
        if (error || content === undefined)
          reject(error ?? failure('US0807', `read ${name}`, 'it is empty', 'Build the app again.'))
        else resolve(String(content))
      })
    })
  }

  async #locateInModule({ file, line, column }: SourcePlace): Promise<LocatedPlace | undefined> {
    const output = await this.#output
    const resource = this.#find(file, output.modules)
    if (resource === undefined) return undefined
    const code = output.codes.get(resource)
    const map = code && parseMap(code)
    if (!map) {
      const written = await readFile(toPath(resource), 'utf8').catch(() => '')
      return this.#toPlace(resource, findSameCall(String(code?.source() ?? ''), { line, column }, written) ?? 1, 1)
    }
    const entry = map.findEntry(line - 1, column - 1)
    const isKnown = 'originalLine' in entry
    return this.#toPlace(resource, isKnown ? entry.originalLine + 1 : 1, isKnown ? entry.originalColumn + 1 : 1)
  }

  /**
   * Returns the resource of a module by its name in stacks and source maps: `webpack-internal:///./src/a.js` (its id),
   * `webpack://app/./src/a.js?`, or its path.
   */
  #find(name: string, modules: readonly NamedModule[]): string | undefined {
    // A panel asks for all handlers of a module at once, and a search through all modules takes long.
    const known = this.#found.get(modules) ?? new Map<string, string | undefined>()
    this.#found.set(modules, known)
    if (!known.has(name)) known.set(name, this.#search(name, modules))
    return known.get(name)
  }

  #search(name: string, modules: readonly NamedModule[]): string | undefined {
    const id = /^webpack-internal:\/\/\/(.*)$/.exec(name)?.[1]
    if (id !== undefined) return modules.find((module) => module.id === decode(id))?.resource
    const path = decode(name.replace(/^file:\/\//, '').replace(/\?.*$/, ''))
    let found: string | undefined
    let length = 0
    for (const { resource } of modules) {
      const short = this.#shorten(resource)
      // `devtool: 'eval'` writes `_` for spaces.
      const isMeant =
        path.endsWith(`/${short}`) || path === toPath(resource) || path.endsWith(`/${short.replaceAll(' ', '_')}`)
      // "../../a.js" ends with "../a.js".
      if (isMeant && short.length > length) {
        found = resource
        length = short.length
      }
    }
    return found
  }

  /** Shortens a path as webpack does: `./src/a.js`. */
  #shorten(resource: string): string {
    const short = relative(this.#project.compiler.context, toPath(resource)).replaceAll('\\', '/')
    return short.startsWith('../../') ? short : `./${short}`
  }

  #toPlace(resource: string, line: number, column: number): LocatedPlace {
    const path = toPath(resource)
    return { path, name: this.#shorten(resource).replace(/^\.\//, ''), line, column }
  }
}

/** The parsed source maps of modules. A panel asks for all handlers of a module at once, and parsing takes long. */
const parsedMaps = new WeakMap<Source, SourceMap>()

function parseMap(code: Source): SourceMap | undefined {
  const known = parsedMaps.get(code)
  if (known) return known
  const map = code.map?.({ columns: true })
  if (!map) return undefined
  const parsed = new SourceMap(map as SourceMapPayload)
  parsedMaps.set(code, parsed)
  return parsed
}

/** What a compilation created. */
interface Output {
  readonly modules: readonly NamedModule[]
  readonly codes: Codes
}

/** The generated code of modules, by resource. */
type Codes = ReadonlyMap<string, Source>

const noCodes: Codes = new Map()

/** A module that was built from a file. */
interface NamedModule {
  readonly id: string
  readonly resource: string
}

/** Reads the output when it is first used. It can be used until the next compilation begins. */
function readLater(compilation: Compilation, isEvaluated: boolean): Output {
  let modules: readonly NamedModule[] | undefined
  let codes: Codes | undefined
  return {
    get modules() {
      return (modules ??= listModules(compilation))
    },
    get codes() {
      return (codes ??= isEvaluated ? collectCodes(compilation) : noCodes)
    },
  }
}

function readNow(compilation: Compilation, isEvaluated: boolean): Output {
  return { modules: listModules(compilation), codes: isEvaluated ? collectCodes(compilation) : noCodes }
}

function listModules({ modules, chunkGraph }: Compilation): NamedModule[] {
  const named: NamedModule[] = []
  for (const module of modules) {
    const { resource } = module
    if (resource) named.push({ id: String(chunkGraph.getModuleId(module as never)), resource })
  }
  return named
}

function collectCodes(compilation: Compilation): Map<string, Source> {
  const { chunkGraph, codeGenerationResults, modules } = compilation
  const codes = new Map<string, Source>()
  for (const module of modules) {
    const [chunk] = chunkGraph.getModuleChunksIterable(module as never)
    if (module.resource === undefined || !chunk) continue
    const code = codeGenerationResults?.get(module as never, toRuntime(chunk.runtime) as never)
    const source = code?.sources.get('javascript')
    if (source) codes.set(module.resource, source)
  }
  return codes
}

/** Rspack accepts an array in place of the set that it returned. webpack needs its own set, which is a subclass of `Set`. */
function toRuntime(runtime: unknown): unknown {
  const isPlainSet = runtime instanceof Set && runtime.constructor === Set
  return isPlainSet ? [...(runtime as Set<unknown>)] : runtime
}

/** Adds source maps to the modules of the handlers' folder, even if the app's modules have none (`devtool: 'eval'`). */
function traceHandlers(module: Module, project: Project): void {
  if (!module.resource || module.useSourceMap !== false) return
  try {
    if (isBeside(module.resource, project.findHandlers().path)) module.useSourceMap = true
  } catch {
    // There are no handlers. Other code reports it.
  }
}

const toPath = (resource: string): string => resource.replace(/\?.*$/, '')

function decode(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

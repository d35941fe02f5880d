import { SourceMap, type SourceMapPayload } from 'node:module'
import { posix, resolve } from 'node:path'

import type { SourcePlace } from '@understudy/panel/server'
import type { DevEnvironment, Plugin } from 'vite'

import { pluginName, type Project } from '../project.ts'

/** The members that Vite's experiment `bundledDev` adds to the environment of pages. */
interface BundlingEnvironment {
  readonly bundledDev?: { readonly memoryFiles?: MemoryFiles }
}

interface MemoryFiles {
  get(name: string): { readonly source: string | Uint8Array } | undefined
}

/** The source map of a served file. It is parsed once, when a place is looked up. */
interface ServedMap {
  readonly text: string
  parsed?: SourceMap
}

/**
 * The source maps of the last served files, by file name. Vite bundles again while pages run, with the same names.
 */
const servedMaps = new WeakMap<DevEnvironment, Map<string, ServedMap>>()

/** With `experimental.bundledDev`, keeps the source maps of the served files. */
export function bundlePlaces(project: Project): Plugin {
  return {
    name: `${pluginName}:bundle-places`,
    apply: 'serve',

    configureServer({ environments: { client }, middlewares }) {
      const files = (client as BundlingEnvironment).bundledDev?.memoryFiles
      if (!project.mocksPages || !files) return
      const served = new Map<string, ServedMap>()
      servedMaps.set(client, served)
      middlewares.use((request, _response, next) => {
        const name = toFileName(request.url ?? '', project.basePath)
        const text = name?.endsWith('.js') ? readMap(files, name) : undefined
        if (name !== undefined && text !== undefined) served.set(name, { text })
        next()
      })
    },
  }
}

/** Returns whether the dev server bundles pages, so that their stacks contain files of the bundle. */
export function isBundling(environment: DevEnvironment): boolean {
  return servedMaps.has(environment)
}

/**
 * Returns the source position of a place in a file of the bundle. The path is absolute.
 *
 * @param base the base path of the files in pages
 */
export function locateInBundle(
  environment: DevEnvironment,
  { file, line, column }: SourcePlace,
  base: string,
): { path: string; line: number; column: number } | undefined {
  const name = URL.canParse(file) ? toFileName(new URL(file).pathname, base) : undefined
  const map = servedMaps.get(environment)?.get(name ?? '')
  if (name === undefined || map === undefined) return undefined
  map.parsed ??= new SourceMap(JSON.parse(map.text) as SourceMapPayload)
  const entry = map.parsed.findEntry(line - 1, column - 1)
  if (!('originalSource' in entry)) return undefined
  const { root, build } = environment.config
  const path = resolve(root, build.outDir, posix.dirname(name), entry.originalSource).replaceAll('\\', '/')
  return { path, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
}

/** Returns the name of a file relative to the base: `assets/index.js`. */
function toFileName(url: string, base: string): string | undefined {
  try {
    const path = decodeURI(url.replace(/[?#].*$/s, ''))
    return path.startsWith(base) ? path.slice(base.length) : undefined
  } catch {
    // The URL contains a "%" that is not part of an escape.
    return undefined
  }
}

/** Returns the text of a file's source map, which is inline or in a file next to it. */
function readMap(files: MemoryFiles, name: string): string | undefined {
  const text = readText(files, name) ?? ''
  const [, url] = /^\/\/# sourceMappingURL=(\S+)/.exec(text.slice(text.lastIndexOf('//# sourceMappingURL='))) ?? []
  if (url === undefined) return undefined
  const [, inline] = /^data:[^,]*;base64,(.*)$/.exec(url) ?? []
  if (inline !== undefined) return Buffer.from(inline, 'base64').toString()
  return readText(files, posix.join(posix.dirname(name), decodeURI(url)))
}

function readText(files: MemoryFiles, name: string): string | undefined {
  const source = files.get(name)?.source
  return source === undefined || typeof source === 'string' ? source : Buffer.from(source).toString()
}

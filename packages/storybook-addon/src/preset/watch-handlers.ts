import { posix } from 'node:path'

import { lastEditEvent } from './handlers-module.ts'

/** The parts of Vite's dev server that this uses, in any version of Vite. */
export interface ViteServer {
  readonly config: { readonly root: string; readonly plugins: readonly { readonly name: string }[] }
  readonly watcher: {
    add(paths: readonly string[]): unknown
    on(event: 'add' | 'change' | 'unlink', listener: (path: string) => void): unknown
  }
  readonly moduleGraph: {
    getModuleById(id: string): ViteModule | undefined
    getModulesByFile(file: string): ReadonlySet<ViteModule> | undefined
    invalidateModule(module: ViteModule): void
  }
  readonly ws: { on(event: string, listener: (data: unknown, client: ViteClient) => void): unknown }
  reloadModule(module: ViteModule): Promise<void>
}

interface ViteClient {
  send(event: string, data?: unknown): void
}

interface ViteModule {
  readonly id: string | null
  readonly importers: ReadonlySet<ViteModule>
}

interface Watched {
  /** The id of the module that loads the handlers. */
  readonly id: string
  /** The paths at which the handlers module may be. */
  readonly paths: readonly string[]
  /** Returns whether the last module that the server created found no handlers. */
  readonly areMissing: () => boolean
}

/**
 * Creates the module that loads the handlers again when their file is created or deleted, which is not an edit of a module, and
 * sends it to the pages.
 */
export function watchHandlers(server: ViteServer, { id, paths, areMissing }: Watched): void {
  const { config, watcher, moduleGraph, ws } = server
  const places = new Set(paths.map(toPath))
  let lastEdit: number | undefined
  const onChange = (path: string): void => {
    // Other files next to the handlers cannot be the handlers file.
    if (!places.has(toPath(path))) return
    lastEdit = performance.now()
    const module = moduleGraph.getModuleById(id)
    if (!module) return
    moduleGraph.invalidateModule(module)
    void server.reloadModule(module)
  }
  // Vite watches its root, and outside of it only files that it has loaded. A folder with the root in it may be large.
  const root = toPath(config.root)
  const isWatched = (folder: string): boolean => `${folder}/`.startsWith(`${root}/`) || root.startsWith(`${folder}/`)
  watcher.add([...new Set([...places].map((place) => posix.dirname(place)))].filter((folder) => !isWatched(folder)))
  watcher.on('add', onChange)
  watcher.on('unlink', onChange)
  watcher.on('change', (path) => {
    // Vite's watcher reports a file that is created again within 100 ms as changed. A page may have missed it in between.
    if (areMissing()) onChange(path)
    const edited = moduleGraph.getModulesByFile(toPath(path)) ?? []
    if ([...edited].some((module) => isOf(module, id))) lastEdit = performance.now()
  })
  ws.on(lastEditEvent, (_data, client) => {
    if (lastEdit !== undefined) client.send(lastEditEvent, { ago: performance.now() - lastEdit })
  })
}

/** Returns whether a module imports another one, directly or indirectly. */
function isOf(module: ViteModule, id: string, seen: Set<ViteModule> = new Set()): boolean {
  if (module.id === id) return true
  if (seen.has(module)) return false
  seen.add(module)
  return [...module.importers].some((importer) => isOf(importer, id, seen))
}

function toPath(path: string): string {
  return path.replaceAll('\\', '/')
}

import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'

import { listHandlersPaths } from '@understudy/engine/internal/dev'
import type { EnvironmentModuleNode, Plugin, ViteDevServer, WebSocketClient } from 'vite'

import { createLastEdit, handlersFoundEvent, type LastEdit } from '../last-edit.ts'
import { pluginName, type Project } from '../project.ts'
import { bootstrapId, handlersId, virtual } from '../virtual-modules.ts'
import { createStaleErrors } from './stale-errors.ts'

/** Updates the handlers in pages when their files are edited, added or deleted. */
export function handlersHotSwap(project: Project): Plugin {
  const lastEdit = createLastEdit(project)
  const staleErrors = createStaleErrors()
  return {
    name: `${pluginName}:handlers-hot-swap`,
    enforce: 'pre',

    configureServer(server) {
      if (!project.mocksPages) return undefined
      try {
        project.findHandlers()
      } catch (error) {
        project.report(error as Error)
      }
      watchHandlers(server, project, lastEdit)
      lastEdit.answer(server)
      answerPagesWithoutHandlers(server, project)
      return staleErrors.drop(server)
    },

    async hotUpdate({ type, modules, file, read, server }) {
      if (!project.isOn || this.environment.name !== 'client') return
      const ours = modules.filter((module) => isOfHandlers(module))
      // Editors empty a file before they write it. The page must not get the empty file.
      if (type === 'update' && ours.length > 0) reportSecondSave(server, file, await read())
      if (ours.length > 0) {
        lastEdit.note()
        staleErrors.note(file)
      }
      // Vite treats a module that it could not analyze as unused, and would not report its fix to the page.
      for (const module of ours) module.isSelfAccepting ??= false
    },
  }
}

/** Vite's watcher does not report a second change of a file within 50 ms. Editors that format on save write twice. */
const watcherPause = 60

/** Reports that a file was saved a second time, if Vite's watcher does not. */
export function reportSecondSave(server: ViteDevServer, file: string, text: string): void {
  setTimeout(() => {
    readFile(file, 'utf8').then(
      (now) => now !== text && server.watcher.emit('change', file),
      // The file was deleted, which the watcher reports.
      () => undefined,
    )
  }, watcherPause).unref()
}

/** A handlers file that is added or deleted is not an edit of a module: pages must request the handlers again. */
function watchHandlers(server: ViteDevServer, project: Project, lastEdit: LastEdit): void {
  const places = new Set(listHandlersPaths(project.folder, project.options.handlers).map(toPath))
  const onChange = (path: string): void => {
    // Other files next to the handlers, such as their tests, cannot be the handlers file.
    if (!places.has(toPath(path))) return
    invalidateModules(server)
    // A page that is not connected yet gets no reload.
    lastEdit.note()
    server.ws.send({ type: 'full-reload' })
  }
  const { root } = server.config
  // Vite watches its root, and outside of it only files that it has loaded. A folder with the root in it may be large.
  const isWatched = (place: string): boolean => `${place}/`.startsWith(`${root}/`) || root.startsWith(`${place}/`)
  server.watcher.add(
    [...new Set([...places].map((place) => posix.dirname(place)))].filter((place) => !isWatched(place)),
  )
  server.watcher.on('add', onChange)
  server.watcher.on('unlink', onChange)
  // Vite's watcher reports a file that is created again within 100 ms as changed. A page may have missed it in between.
  server.watcher.on('change', (path) => {
    if (project.areHandlersMissing) onChange(path)
  })
}

/** Makes the dev server create the modules again that depend on which file has the handlers. */
function invalidateModules({ moduleGraph }: ViteDevServer): void {
  for (const id of [bootstrapId, handlersId]) {
    const module = moduleGraph.getModuleById(virtual(id))
    if (module) moduleGraph.invalidateModule(module)
  }
}

/**
 * Answers pages that were loaded while there was no handlers file: the file may have been created before a page was connected,
 * and then the page gets no reload.
 */
function answerPagesWithoutHandlers(server: ViteDevServer, project: Project): void {
  server.ws.on(handlersFoundEvent, (data: unknown, client: WebSocketClient) => {
    if (!project.hasPageToken(data)) return
    try {
      project.findHandlers()
    } catch {
      return
    }
    invalidateModules(server)
    client.send(handlersFoundEvent)
  })
}

function toPath(path: string): string {
  return path.replaceAll('\\', '/')
}

/**
 * Returns whether the handlers import a module, directly or indirectly.
 *
 * @param id the id of the module that loads the handlers
 */
export function isOfHandlers(
  module: EnvironmentModuleNode,
  id: string = handlersId,
  seen: Set<EnvironmentModuleNode> = new Set(),
): boolean {
  if (module.id === virtual(id)) return true
  if (seen.has(module)) return false
  seen.add(module)
  return [...module.importers].some((importer) => isOfHandlers(importer, id, seen))
}

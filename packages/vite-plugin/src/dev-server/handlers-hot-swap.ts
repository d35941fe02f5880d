import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { handlersPlaces } from '@understudy/engine/internal/dev'
import type { EnvironmentModuleNode, Plugin, ViteDevServer } from 'vite'

import { createLastEdit } from '../last-edit.ts'
import { pluginName, type Project } from '../project.ts'
import { bootstrapId, handlersId, virtual } from '../virtual-modules.ts'

/** Sees to it that pages get the handlers as they are edited, come and go. */
export function handlersHotSwap(project: Project): Plugin {
  const lastEdit = createLastEdit(project)
  return {
    name: `${pluginName}:handlers-hot-swap`,
    enforce: 'pre',

    configureServer(server) {
      if (!project.mocksPages) return
      try {
        project.findHandlers()
      } catch (error) {
        project.report(error as Error)
      }
      watchHandlers(server, project)
      lastEdit.answer(server)
    },

    async hotUpdate({ type, modules, file, read, server }) {
      if (!project.isOn || this.environment.name !== 'client') return
      const ours = modules.filter((module) => isOfHandlers(module))
      // Editors empty a file before they write it: the page must not get it in between.
      if (type === 'update' && ours.length > 0) reportSecondSave(server, file, await read())
      if (ours.length > 0) lastEdit.note()
      // Vite takes a module that it could not analyse for one that no page waits for, and would not report the fix.
      for (const module of ours) module.isSelfAccepting ??= false
    },
  }
}

/** Vite's watcher reports no second change of a file within 50 ms. Editors that format what they save make two. */
const watcherPause = 60

/** Reports that a file was saved a second time, if Vite's watcher does not. */
function reportSecondSave(server: ViteDevServer, file: string, text: string): void {
  setTimeout(() => {
    readFile(file, 'utf8').then(
      (now) => now !== text && server.watcher.emit('change', file),
      // It was deleted, which the watcher does report.
      () => undefined,
    )
  }, watcherPause).unref()
}

/** A handlers file that is added or deleted is not an edit of a module: pages must request the handlers again. */
function watchHandlers(server: ViteDevServer, { config, options }: Project): void {
  const places = options.handlers === undefined ? handlersPlaces : [options.handlers]
  const bases = places.map((place) => resolve(config.root, place).replaceAll('\\', '/'))
  const onChange = (path: string): void => {
    const changed = path.replaceAll('\\', '/')
    if (
      !bases.some((base) => changed === base || changed.startsWith(`${base}.`) || changed.startsWith(`${base}/index.`))
    ) {
      return
    }
    const { moduleGraph } = server
    for (const id of [bootstrapId, handlersId]) {
      const module = moduleGraph.getModuleById(virtual(id))
      if (module) moduleGraph.invalidateModule(module)
    }
    server.ws.send({ type: 'full-reload' })
  }
  server.watcher.on('add', onChange)
  server.watcher.on('unlink', onChange)
}

/**
 * Whether the handlers import a module, themselves or by others.
 *
 * @param id of the module that brings the handlers
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

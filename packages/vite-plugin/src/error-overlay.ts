import type { IncomingMessage } from 'node:http'
import { basename } from 'node:path'

import type { HandlersFile } from '@understudy/engine/dev'
import { isOfOtherOrigin, type SourcePlace } from '@understudy/panel/server'
import type { ErrorPayload, Plugin, WebSocketClient } from 'vite'

import { pluginName, type Project } from './project.ts'
import { locate } from './source-places.ts'

/**
 * The event by which a page tells of an error that only it knows of. Its data: {@link PageError}; the answer's: its
 * `id`, and as `err` what the overlay shows.
 */
export const errorEvent = 'understudy:error'

interface PageError {
  /** The page's number of it, which the answer carries. */
  readonly id: number
  readonly message: string
  /** As the browser has it: with the addresses of modules. */
  readonly stack: string
}

/**
 * Has Vite's overlay show what is wrong with the handlers of a page. The page sends it here, and gets it back with the
 * files' paths, as links that open the editor: its modules, which other origins may read, name none. A page of another
 * origin gets the files' names.
 */
export function errorOverlay(project: Project): Plugin {
  return {
    name: `${pluginName}:error-overlay`,
    apply: 'serve',

    configureServer(server) {
      if (!project.mocksPages) return
      const ofOtherOrigin = new WeakSet<object>()
      server.ws.on('connection', (socket: object, request: IncomingMessage) => {
        if (isOfOtherOrigin(request)) ofOtherOrigin.add(socket)
      })
      server.ws.on(errorEvent, (data: unknown, client: WebSocketClient) => {
        if (!isPageError(data)) return
        const key = ofOtherOrigin.has(client.socket) ? 'name' : 'path'
        const nameFile = async (place: SourcePlace): Promise<string | undefined> => {
          const located = await locate(place, server, project.basePath)
          return located && `${located[key]}:${located.line}:${located.column}`
        }
        void toOverlay(data, nameFile, findCulprit(project)[key]).then((err) =>
          client.send(errorEvent, { id: data.id, err }),
        )
      })
    },
  }
}

function isPageError(data: unknown): data is PageError {
  const { id, message, stack } = (data ?? {}) as Partial<Record<string, unknown>>
  return typeof id === 'number' && typeof message === 'string' && typeof stack === 'string'
}

/** @param culprit the file that has to be mended, where the error names none */
async function toOverlay(
  { message, stack }: PageError,
  nameFile: (place: SourcePlace) => Promise<string | undefined>,
  culprit: string,
): Promise<ErrorPayload['err']> {
  const lines = await Promise.all(
    stack.split('\n').map(async (line) => {
      const [, start = '', file, row, column, end = ''] = /^(.*?)(https?:\/\/\S+?):(\d+):(\d+)(.*)$/.exec(line) ?? []
      const named = file && (await nameFile({ file, line: Number(row), column: Number(column) }))
      return named ? { text: start + named + end, named } : { text: line }
    }),
  )
  const [first = ''] = lines.flatMap(({ named }) => named ?? [])
  const [, file = culprit, line = 1, column = 1] = /^(.+):(\d+):(\d+)$/.exec(first) ?? []
  return {
    message,
    stack: lines.map(({ text }) => text).join('\n'),
    loc: { file, line: Number(line), column: Number(column) },
    plugin: pluginName,
  }
}

function findCulprit(project: Project): Pick<HandlersFile, 'path' | 'name'> {
  try {
    return project.findHandlers()
  } catch {
    const path = project.config.configFile ?? 'vite.config'
    return { path, name: basename(path) }
  }
}

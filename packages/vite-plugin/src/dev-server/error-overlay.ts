import type { IncomingMessage } from 'node:http'
import { relative } from 'node:path'

import { withCode, type HandlersFile } from '@understudy/engine/internal/dev'
import { isOfOtherOrigin } from '@understudy/panel/server'
import type { ErrorPayload, Plugin, ViteDevServer, WebSocketClient } from 'vite'

import { pluginName, type Project } from '../project.ts'
import { findLinePlace, readPageError, type PageError } from './page-error.ts'
import { locate } from './source-places.ts'

/**
 * The event with which a page reports an error that the dev server did not see. Its data is a {@link PageError}. The
 * answer has the `id`, and in `err` the data for the overlay.
 */
export const errorEvent = 'understudy:error'

/**
 * Shows errors in the handlers of a page in Vite's overlay. The page sends the error here, and gets it back with the
 * paths of files, as links that open the editor. Modules of the page must not contain paths, because other origins may
 * read them. Only a page of this server's own origin that sends the run's token gets data from the disk. All other
 * clients get back only their own text.
 */
export function errorOverlay(project: Project): Plugin {
  return {
    name: `${pluginName}:error-overlay`,
    apply: 'serve',

    configureServer(server) {
      if (!project.mocksPages) return
      const ofOwnOrigin = new WeakSet<object>()
      server.ws.on('connection', (socket: object, request: IncomingMessage) => {
        // Programs other than browsers may send no origin.
        if (request.headers.origin !== undefined && !isOfOtherOrigin(request)) ofOwnOrigin.add(socket)
      })
      server.ws.on(errorEvent, (data: unknown, client: WebSocketClient) => {
        const error = readPageError(data)
        if (!error) return
        const isTrusted = ofOwnOrigin.has(client.socket) && error.token === project.pageToken
        answer(error, isTrusted, project, server).then(
          (err) => client.send(errorEvent, { id: error.id, err }),
          // Vite does not await this listener, so an uncaught error would end the process of the dev server.
          (cause: unknown) =>
            project.config.logger.warn(
              `[understudy] ${withCode('US0808', `Failed to show an error in the overlay: ${String(cause)}. See the console of the page.`)}`,
            ),
        )
      })
    },
  }
}

async function answer(
  { message, stack }: PageError,
  isTrusted: boolean,
  project: Project,
  server: ViteDevServer,
): Promise<ErrorPayload['err']> {
  if (!isTrusted) return { message, stack, plugin: pluginName }
  let first: { file: string; line: number; column: number } | undefined
  const lines = await Promise.all(
    stack.split('\n').map(async (text) => {
      const place = findLinePlace(text)
      const located = place && (await locate(place, server, project).catch(() => undefined))
      return { text, place, located }
    }),
  )
  let shown = message
  const texts = lines.map(({ text, place, located }) => {
    if (!place || !located) return text
    const { path: file, line, column } = located
    first ??= { file, line, column }
    // The page only knows the line of the module that Vite made, and may name it in the message.
    const named = text.slice(place.start, place.end).replace(/^https?:\/\/[^/]+/, '')
    shown = shown.replace(`(at ${named})`, () => `(at ${relative(project.folder, file)}:${line}:${column})`)
    return `${text.slice(0, place.start)}${file}:${line}:${column}${text.slice(place.end)}`
  })
  return {
    message: shown,
    stack: texts.join('\n'),
    loc: first ?? { file: findCulprit(project), line: 1, column: 1 },
    plugin: pluginName,
  }
}

/** Returns the file to correct, if the error contains no file. */
function findCulprit(project: Project): HandlersFile['path'] {
  try {
    return project.findHandlers().path
  } catch {
    return project.config.configFile ?? 'vite.config'
  }
}

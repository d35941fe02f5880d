import { Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server as HttpsServer } from 'node:https'

import {
  findHandlers,
  readWorkerScript,
  selfRemovingWorker,
  serveScript,
  type ResolvedOptions,
} from '@understudy/engine/internal/dev'
import { createPanelMiddleware, isOwnHost } from '@understudy/panel/server'

import { answerWebWorkers } from '../dev-server/worker-serving.ts'
import { usesTurbopack } from './bundlers.ts'
import { locateInNext } from './next-places.ts'
import { startWebWorkers } from './web-worker-scripts.ts'

interface Served {
  readonly root: string
  readonly basePath: string
  readonly trustedHosts: readonly string[]
  readonly distDir: string
  readonly options: ResolvedOptions
  /** The name of the `BroadcastChannel` on which the server's requests are shared. */
  readonly channel: string
  /** Returns the files of the handlers. Places in other files are not shown. */
  readonly listFiles: () => readonly string[]
}

type Handle = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Serves the worker and the panel on the servers of this process, before the server's own code sees a request: a
 * middleware of the app could redirect the worker's script to its login, and Next redirects paths with a slash at the end.
 */
export function serveRequests(served: Served): void {
  const handle = createHandle(served)
  for (const { prototype } of [HttpServer, HttpsServer]) intercept(prototype, handle)
  if ((served.options.enabled ?? true) && served.options.panel) printAddress(served.basePath)
}

function intercept(prototype: HttpServer, handle: Handle): void {
  const emit = Reflect.get(prototype, 'emit') as (this: HttpServer, event: string, ...args: unknown[]) => boolean
  prototype.emit = function emitUnlessOurs(this: HttpServer, event: string, ...args: unknown[]): boolean {
    if (event === 'request' && handle(args[0] as IncomingMessage, args[1] as ServerResponse)) return true
    return emit.call(this, event, ...args)
  } as HttpServer['emit']
}

function createHandle({ basePath, trustedHosts, options, channel, root, distDir, listFiles }: Served): Handle {
  const isOn = options.enabled ?? true
  const script = isOn ? readWorkerScript() : selfRemovingWorker
  const worker = serveScript(`${basePath}/${options.worker.file}`, () => script, '/')
  const panelPath = `${basePath}/__understudy`
  const panel = createPanelMiddleware({
    base: `${basePath}/`,
    root,
    editor: `${panelPath}/open?file=`,
    locate: (place) => locateInNext(place, { root, distDir, basePath, files: listFiles() }),
    findHandlers: () => findHandlers(root, options.handlers),
    serverChannel: channel,
  })
  return (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    let isHandled = true
    const leave = (): void => {
      isHandled = false
    }
    if (path === `${panelPath}/open`) {
      request.url = toEditorUrl(basePath, request.url ?? '')
      return false
    }
    if (isOn && options.panel && (path === panelPath || path.startsWith(`${panelPath}/`))) {
      if (isOwnHost(request.headers.host, trustedHosts)) panel(request, response, leave)
      else refuse(response)
    } else {
      worker(request, response, () => answerWebWorkers(request, response, leave))
    }
    if (!isHandled && isOn && usesTurbopack()) startWebWorkers(request, response)
    return isHandled
  }
}

/** Converts the URL of the editor: Next has its own path and parameters. */
function toEditorUrl(basePath: string, url: string): string {
  const place = new URL(url, 'http://localhost').searchParams.get('file') ?? ''
  const [, file = place, line = '1', column = '1'] = /^(.*?)(?::(\d+))?(?::(\d+))?$/.exec(place) ?? []
  return `${basePath}/__nextjs_launch-editor?${String(new URLSearchParams({ file, line1: line, column1: column }))}`
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'Content-Type': 'text/plain' })
  response.end(
    'Failed to show the panel: the host is not known. Add it to allowedDevOrigins in the configuration of Next.',
  )
}

/** Prints the panel's URL. Next sets the port and prints its own URLs before it reads the configuration. */
function printAddress(basePath: string): void {
  const { PORT: port } = process.env
  if (process.env['NEXT_PRIVATE_WORKER'] !== undefined && port !== undefined) {
    console.log(`- Understudy:    http://localhost:${port}${basePath}/__understudy/`)
  }
}

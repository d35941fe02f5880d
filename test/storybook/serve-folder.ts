import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

export interface FolderServer {
  /** The URL of the folder, which ends with a slash. */
  readonly root: string
  stop(): Promise<void>
}

/**
 * Serves a folder like a static host.
 *
 * @param base the path above it: `'/deep/sub/'`
 * @param isClean whether pages have no extension: such a host serves `/iframe`, and redirects `/iframe.html` to it
 */
export async function serveFolder(folder: string, base: string, isClean = false): Promise<FolderServer> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    if (!pathname.startsWith(base)) {
      response.writeHead(404).end()
      return
    }
    if (isClean && pathname.endsWith('.html')) {
      response.writeHead(301, { location: pathname.slice(0, -'.html'.length) + search }).end()
      return
    }
    const path = pathname.slice(base.length) || 'index.html'
    const file = isClean && !extname(path) ? `${path}.html` : path
    readFile(join(folder, file)).then(
      (content) => {
        const type = types[extname(file)] ?? 'text/plain'
        // Storybooks that compose this one read its index.
        response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(content)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    root: `http://localhost:${port}${base}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { build } from 'esbuild'

import { bundleClassicScript, classicScripts, constants } from '../../packages/engine/build.ts'

/** Serves the page of the floods, and counts requests that handlers should have answered. */
export interface FloodServer {
  readonly origin: string
  /** The requests below `/api/` that reached the network, in order: `'GET /api/json/7'`. */
  readonly escaped: readonly string[]
  /** The number of requests below `/real/`, which the server answers. */
  readonly passed: number
  /** Resets the counts. */
  forget(): void
  close(): Promise<void>
}

/** Starts the server on a free port of the loopback interface. The page uses the engine's sources. */
export async function serveFloods(): Promise<FloodServer> {
  const [page, worker] = await Promise.all([bundlePage(), bundleClassicScript(classicScripts['worker.js'])])
  const icon = '<link rel="icon" href="data:," />'
  const files: Record<string, readonly [type: string, text: string]> = {
    '/': ['text/html', `<!doctype html><title>Floods</title>${icon}<body><script src="/page.js"></script>`],
    '/empty.html': ['text/html', `<!doctype html><title>Empty</title>${icon}`],
    '/page.js': ['text/javascript', page],
    '/understudy-worker.js': ['text/javascript', worker],
  }
  const escaped: string[] = []
  let passed = 0
  const server = createServer((request, response) => {
    const { method, url = '' } = request
    const file = files[url.split('?')[0] ?? '']
    request.resume()
    if (file) response.setHeader('Content-Type', file[0]).end(file[1])
    else if (url.startsWith('/real/')) {
      passed += 1
      response.end(`the network: ${url.slice('/real/'.length)}`)
    } else {
      escaped.push(`${method} ${url}`)
      response.end('the backend')
    }
  })
  // In Node the server shares a process with its clients. A process that is busy for longer than the server keeps a
  // connection sends the next request on a connection that the server closes.
  server.keepAliveTimeout = 0
  server.on('upgrade', ({ url }, socket) => {
    escaped.push(`UPGRADE ${url}`)
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    escaped,
    get passed() {
      return passed
    },
    forget() {
      escaped.length = 0
      passed = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    bundle: true,
    format: 'iife',
    write: false,
    conditions: ['@understudy/source'],
    define: constants,
  })
  return outputFiles[0]?.text ?? ''
}

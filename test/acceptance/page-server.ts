import { readFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

export interface PageServerOptions {
  /** The HTML of the page at `/`. Missing if another server sends the page. */
  html?: string
  /** The Content Security Policy that is sent with that page. */
  policy?: string
  /** The origin for requests below `/api/`. */
  api: string
  /** The origin for all other requests: that of the dev server. */
  proxy?: string
  /** Serves a folder of files instead, at a base path. */
  files?: { folder: string; base: string; headers?: Record<string, string> }
  /** Serves over https. */
  certificate?: { key: string; cert: string }
  /** The host name in its URL. Default: `localhost`. */
  host?: string
}

export interface PageServer {
  readonly origin: string
  readonly port: number
  close(): Promise<void>
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.css': 'text/css',
}

/** A server that does not belong to a build tool. It serves pages that load modules from other servers. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const { html, policy, api, proxy, files, certificate, host = 'localhost' } = options
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path === '/' && html !== undefined) {
      response.setHeader('Content-Type', 'text/html')
      if (policy !== undefined) response.setHeader('Content-Security-Policy', policy)
      response.end(html)
    } else if (path.startsWith('/api/')) forward(api, request, response)
    else if (proxy !== undefined) forward(proxy, request, response)
    else if (files && path.startsWith(files.base)) void serveFile(files, path, response)
    else {
      response.statusCode = 404
      response.end()
    }
  }
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http${certificate ? 's' : ''}://${host}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function forward(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming
  const asked = httpRequest(new URL(incoming.url ?? '/', origin), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  asked.on('error', () => outgoing.destroy())
  incoming.pipe(asked)
}

async function serveFile(
  { folder, base, headers = {} }: NonNullable<PageServerOptions['files']>,
  path: string,
  response: ServerResponse,
): Promise<void> {
  const name = join(folder, path.slice(base.length), path.endsWith('/') ? 'index.html' : '')
  try {
    const text = await readFile(name)
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value)
    response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream')
    response.end(text)
  } catch {
    response.statusCode = 404
    response.end()
  }
}

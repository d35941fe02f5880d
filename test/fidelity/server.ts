import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { build } from 'esbuild'
import { WebSocketServer } from 'ws'

import { bundleClassicScript, classicScripts, constants } from '../../packages/engine/build.ts'
import { endpoints, type Answer } from './endpoints.ts'

export interface FidelityServer {
  readonly origin: string
  close(): Promise<void>
}

/** Serves the page of the comparison, and the real endpoints: `/real/<endpoint>`. */
export async function serveFidelity(): Promise<FidelityServer> {
  const [page, worker] = await Promise.all([
    build({
      entryPoints: [join(import.meta.dirname, 'page.ts')],
      bundle: true,
      format: 'iife',
      write: false,
      define: constants,
    }),
    bundleClassicScript(classicScripts['worker.js']),
  ])
  const files: Record<string, readonly [type: string, text: string]> = {
    '/': ['text/html', '<!doctype html><link rel="icon" href="data:," /><body><script src="/page.js"></script>'],
    '/page.js': ['text/javascript', page.outputFiles[0]?.text ?? ''],
    '/understudy-worker.js': ['text/javascript', worker],
  }
  const server = createServer((request, response) => {
    response.sendDate = false
    const url = new URL(request.url ?? '', 'http://localhost')
    const [, side, name = ''] = url.pathname.split('/')
    const file = files[url.pathname]
    const endpoint = side === 'real' && Object.hasOwn(endpoints, name) ? endpoints[name] : undefined
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      if (file) response.setHeader('Content-Type', file[0]).end(file[1])
      else if (!endpoint) response.writeHead(404).end()
      else {
        const headers = new Headers(request.headers as Record<string, string>)
        const { method = 'GET' } = request
        void send(response, endpoint({ method, url, headers, body }))
      }
    })
  })
  const sockets = new WebSocketServer({ server, path: '/real/socket', perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer, isBinary) => {
      if (String(data) === 'close') socket.close(4001, 'the server')
      else socket.send(data, { binary: isBinary })
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function send(
  response: ServerResponse,
  { status = 200, statusText, headers = {}, body = null, pause = 0, breaks }: Answer,
): Promise<void> {
  await wait(pause)
  if (statusText === undefined) response.writeHead(status, headers)
  else response.writeHead(status, statusText, headers)
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    response.end(body ?? undefined)
    return
  }
  for (const [before, text] of body) {
    await (typeof before === 'number' ? wait(before) : before)
    response.write(text)
  }
  if (breaks) setTimeout(() => response.destroy(), 50)
  else response.end()
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

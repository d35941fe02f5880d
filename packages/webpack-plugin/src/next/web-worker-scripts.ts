import type { IncomingMessage, ServerResponse } from 'node:http'

import { readWebWorkerScript } from '@understudy/engine/internal/dev'

/** Headers of a request with which a server may send a part of a file, or a compressed one, or none. */
const conditions = ['accept-encoding', 'range', 'if-range', 'if-none-match', 'if-modified-since']

/**
 * Puts the script that replaces `WebSocket` before the scripts of web workers that Turbopack compiles: Turbopack has
 * neither plugins nor rules for web workers.
 */
export function startWebWorkers(request: IncomingMessage, response: ServerResponse): void {
  if (!isOfWebWorker(request)) return
  for (const name of conditions) delete request.headers[name]
  // The semicolon keeps its directive from applying to the app's code. Keep the line numbers.
  prepend(response, `;${readWebWorkerScript().trimEnd()}`)
}

/**
 * The file that Turbopack loads first in each web worker. The header `Sec-Fetch-Dest` does not tell it: a service worker
 * that passes the request on sends another value.
 */
const entrypoint = /\/_next\/static\/chunks\/turbopack-worker-[^/?]*\.js(?:\?|$)/

function isOfWebWorker({ method, url }: IncomingMessage): boolean {
  return method === 'GET' && url !== undefined && entrypoint.test(url)
}

type WriteHead = (status: number, ...rest: readonly unknown[]) => ServerResponse

/** Puts a text before the body of a response, if that is a script. */
function prepend(response: ServerResponse, text: string): void {
  const writeHead = response.writeHead.bind(response) as WriteHead
  const write = response.write.bind(response)
  const writeLonger: WriteHead = (status, ...rest) => {
    const [reason, headers] = typeof rest[0] === 'string' ? rest : [undefined, rest[0]]
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value as string)
    response.writeHead = writeHead
    const isScript = status === 200 && /javascript/.test(String(response.getHeader('content-type')))
    if (isScript) changeHeaders(response, Buffer.byteLength(text))
    writeHead(status, ...(reason === undefined ? [] : [reason]))
    if (isScript) write(text)
    return response
  }
  response.writeHead = writeLonger
}

function changeHeaders(response: ServerResponse, added: number): void {
  const length = response.getHeader('content-length')
  // Without a header, Node would send the length of what Next passes to `end()`.
  if (length === undefined) response.removeHeader('content-length')
  else response.setHeader('content-length', Number(length) + added)
  // A server without mocks must not find this file in the browser's cache.
  response.removeHeader('etag')
  response.removeHeader('last-modified')
  response.setHeader('cache-control', 'no-store')
}

/** Tests the scripts of web workers with real Node servers. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, expect, test } from 'vitest'

import { startWebWorkers } from './web-worker-scripts.ts'

const app = "'use strict'\nself.app = 'é'"
const type = { 'Content-Type': 'application/javascript; charset=UTF-8' }

let server: Server
afterEach(() => server.close())

/** Serves a script. Returns what the browser gets for a request with the given headers. */
async function get(
  respond: (response: ServerResponse) => unknown,
  headers: Record<string, string> = {},
  path = '/_next/static/chunks/turbopack-worker-%5Bclient-fs%5D_1._.js',
): Promise<Response & { body: unknown; all: string }> {
  server = createServer((request, response) => {
    startWebWorkers(request, response)
    if (request.headers['if-none-match'] === undefined) respond(response)
    else response.writeHead(304).end()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://localhost:${port}${path}`, { headers })
  return Object.assign(response, { all: await response.text() })
}

test.each<[name: string, respond: (response: ServerResponse) => void]>([
  ['end()', (response) => response.writeHead(200, type).end(app)],
  ['end() without writeHead()', (response) => response.setHeader('content-type', type['Content-Type']).end(app)],
  ['write() and end()', (response) => void (response.writeHead(200, 'OK', type).write(app), response.end())],
  [
    'a length',
    (response) => {
      for (const [name, value] of Object.entries({ ...type, 'Content-Length': Buffer.byteLength(app), ETag: 'x' }))
        response.setHeader(name, value)
      response.end(app)
    },
  ],
])('the script comes first, and the rest stays complete: %s', async (_name, respond) => {
  const { all, headers } = await get(respond)
  expect(all.startsWith(';')).toBe(true)
  expect(all.endsWith(app)).toBe(true)
  expect(all).toContain('understudy-web-socket')
  // The lines keep their numbers.
  expect(all.split('\n')).toHaveLength(2)
  expect(headers.get('etag')).toBe(null)
  expect(headers.get('cache-control')).toBe('no-store')
})

test('a browser that has the script in its cache gets it again', async () => {
  const { status, all } = await get((response) => response.writeHead(200, type).end(app), {
    'if-none-match': 'x',
  })
  expect(status).toBe(200)
  expect(all).toContain('understudy-web-socket')
})

const answer = (response: ServerResponse): unknown => response.writeHead(200, type).end(app)

test.each<[name: string, path: string | undefined, respond: (response: ServerResponse) => unknown]>([
  ['a script of the page', '/_next/static/chunks/main.js', answer],
  ['a file in public', '/turbopack-worker-1.js', answer],
  ['an error', undefined, (response) => response.writeHead(404, type).end(app)],
  ['a page', undefined, (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(app)],
])('%s stays as it is', async (_name, path, respond) => {
  expect((await get(respond, {}, path)).all).toBe(app)
})

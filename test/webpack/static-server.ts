/**
 * Serves the folder `dist` of a built app, like a static host: node static-server.ts <port>
 *
 * static-server.json contains the base path, and the origin that gets requests below /api/.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const { api, base = './' } = JSON.parse(await readFile('static-server.json', 'utf8')) as { api?: string; base?: string }
const prefix = base === './' ? '/' : base

const server = createServer((request, response) => {
  const path = (request.url ?? '/').replace(/[?#].*/, '')
  if (api !== undefined && path.startsWith('/api/')) {
    // Redirect to the backend, which records requests that reach it.
    response.writeHead(307, { Location: api + (request.url ?? '') }).end()
    return
  }
  const file = path.startsWith(prefix) ? path.slice(prefix.length) : 'nowhere'
  const name = normalize(file === '' || file.endsWith('/') ? `${file}index.html` : file)
  readFile(join('dist', name)).then(
    (content) => response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream').end(content),
    () => response.writeHead(404).end(),
  )
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('Listening'))

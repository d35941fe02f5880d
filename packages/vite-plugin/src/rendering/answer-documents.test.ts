/** Tests which requests of browsers the dev server answers, over HTTP/2 and behind the server of a framework. */
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, request as send, type RequestListener, type ServerResponse } from 'node:http'
import { connect, type IncomingHttpHeaders } from 'node:http2'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { createLogger, createServer, type InlineConfig, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { certificate } from '../../../../test/certificate.ts'
import { createRoot } from '../testing/create-root.ts'
import { understudy } from '../understudy.ts'

/** The used interface of Express, which has no types. */
interface Express extends RequestListener {
  use(...args: unknown[]): void
}
const express = createRequire(import.meta.url)('express') as (() => Express) & {
  json(): unknown
  urlencoded(options: { extended: boolean }): unknown
}

let root: string
const endings: (() => unknown)[] = []
const warnings: string[] = []
const onWarning = ({ message }: Error): unknown => warnings.push(message)

beforeEach(async () => {
  root = await createRoot()
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await writeFile(
    join(root, 'src/mocks/handlers.ts'),
    `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [
  http.get('/reports/:id', ({ request }) => HttpResponse.html(request.url, { headers: { Connection: 'close', 'X-A': '1' } })),
  http.get('/app/reports/:id', ({ params }) => HttpResponse.html('report ' + params.id)),
  http.get('/endless', () => HttpResponse.html(new ReadableStream({ pull: (each) => each.enqueue(new Uint8Array(100_000)) }))),
  http.post('/form', async ({ request }) => HttpResponse.html(await request.text(), { status: 201, statusText: 'Sent' })),
]`,
  )
  await writeFile(join(root, 'index.html'), '<!doctype html><title>App</title>')
  warnings.length = 0
  process.on('warning', onWarning)
})

afterEach(async () => {
  process.off('warning', onWarning)
  for (const end of endings.splice(0).toReversed()) await end()
})

async function start(config: InlineConfig): Promise<ViteDevServer> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    optimizeDeps: { noDiscovery: true, include: [] },
    ...config,
    plugins: [understudy(), config.plugins],
  })
  endings.push(() => server.close())
  return server
}

const navigation = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

test('documents are answered over HTTP/2, which has no header for the host', async () => {
  const server = await start({ server: { port: 0, host: 'localhost', https: certificate } })
  await server.listen()
  const address = server.httpServer?.address() as AddressInfo
  const { port } = address
  const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false })
  endings.push(() => session.destroy())
  const ask = (path: string, method = 'GET', body?: string): Promise<{ headers: IncomingHttpHeaders; text: string }> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const stream = session.request({ ':path': path, ':method': method, ...navigation, ...length })
      let headers: IncomingHttpHeaders = {}
      let text = ''
      stream.on('response', (received) => (headers = received))
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => resolve({ headers, text }))
      stream.on('error', reject)
      stream.end(body)
    })

  const report = await ask('/reports/5')
  expect(report).toMatchObject({ headers: { ':status': 200, 'x-a': '1' }, text: `https://localhost:${port}/reports/5` })
  expect(await ask('/form', 'POST', 'a=b')).toMatchObject({ headers: { ':status': 201 }, text: 'a=b' })
  expect((await ask('/')).text).toContain('data-understudy-gate')
  expect(warnings).toEqual([])
})

test('a document that the browser stops to load is not an error', async () => {
  const errors: string[] = []
  const customLogger = createLogger('error')
  customLogger.error = (text) => void errors.push(text)
  const server = await start({ server: { port: 0, host: '127.0.0.1' }, customLogger })
  await server.listen()
  const address = server.httpServer?.address() as AddressInfo
  const { port } = address
  const isClosed = new Promise<void>((resolve) => {
    server.httpServer?.once('request', (_request, response) => response.once('close', resolve))
  })
  const request = send({ port, host: '127.0.0.1', path: '/endless', headers: navigation }, (response) => {
    response.on('error', () => {}).once('data', () => request.destroy())
  })
  request.on('error', () => {}).end()
  await isClosed
  // Vite prints an error in the same turn.
  await setImmediate()
  expect(errors).toEqual([])
})

test('a policy with the origin of the dev server allows the gate as a file over HTTP/2', async () => {
  const server = await start({
    appType: 'custom',
    plugins: [
      {
        name: 'app',
        configureServer({ middlewares }) {
          middlewares.use((request, response) => {
            const policy = `script-src https://${String(request.headers[':authority'])}`
            response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy })
            response.end('<html><head></head></html>')
          })
        },
      },
    ],
    server: { port: 0, host: 'localhost', https: certificate },
  })
  await server.listen()
  const address = server.httpServer?.address() as AddressInfo
  const { port } = address
  const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false })
  endings.push(() => session.destroy())
  const stream = session.request({ ':path': '/', ...navigation })
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  expect(text).toBe('<html><head><script data-understudy src="/__understudy-start.js"></script></head></html>')
})

test.each([
  ['a form', 'application/x-www-form-urlencoded', 'name=Ada&tags=a&tags=b'],
  ['JSON', 'application/json', '{"a":[1]}'],
])('%s that a body parser of Express has read is answered, and left to the app', async (_name, type, body) => {
  const vite = await start({ appType: 'custom', server: { middlewareMode: true, ws: false } })
  const app = express()
  app.use(express.json(), express.urlencoded({ extended: true }), vite.middlewares)
  app.use((request: { body: unknown }, response: ServerResponse) => response.end(JSON.stringify(request.body)))
  const parent = createHttpServer(app)
  endings.push(() => new Promise((resolve) => parent.close(resolve)))
  await new Promise<void>((resolve) => {
    parent.listen(0, '127.0.0.1', resolve)
  })
  const { port } = parent.address() as AddressInfo
  const post = (path: string): Promise<[number, string]> =>
    new Promise((resolve, reject) => {
      const headers = { ...navigation, 'content-type': type, 'content-length': String(body.length) }
      const request = send({ port, host: '127.0.0.1', path, method: 'POST', headers }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve([response.statusCode ?? 0, text]))
      })
      request.on('error', reject).end(body)
    })
  expect(await post('/form')).toEqual([201, body])
  expect((await post('/not-mocked'))[1]).toContain(type === 'application/json' ? body : '"name":"Ada"')
})

test('the worker, the panel and documents are served by a server that removes the base from URLs', async () => {
  const vite = await start({ base: '/app/', server: { middlewareMode: true, ws: false } })
  // As Express does with `app.use('/app', vite.middlewares)`.
  const parent = createHttpServer((request, response) => {
    const { url = '' } = request
    Object.assign(request, { originalUrl: url, url: url.replace(/^\/app(?=\/)/, '') })
    vite.middlewares(request, response, () => response.writeHead(404).end())
  })
  endings.push(() => new Promise((resolve) => parent.close(resolve)))
  await new Promise<void>((resolve) => {
    parent.listen(0, 'localhost', resolve)
  })
  const { port } = parent.address() as AddressInfo
  // `fetch` sets its own values of some headers.
  const read = (path: string, headers: Record<string, string> = {}): Promise<{ type: string; text: string }> =>
    new Promise((resolve, reject) => {
      const request = send({ port, host: 'localhost', path, headers }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve({ type: response.headers['content-type'] ?? '', text }))
      })
      request.on('error', reject).end()
    })
  for (const script of ['understudy-worker.js', '__understudy/panel.js', '__understudy-gate.js']) {
    expect((await read(`/app/${script}`)).type).toContain('text/javascript')
  }
  expect((await read('/app/__understudy/')).text).toContain('<title>Understudy</title>')
  expect((await read('/app/reports/5', navigation)).text).toBe('report 5')
  const page = await read('/app/', navigation)
  expect(page.text).toContain('src="/app/@id/__x00__virtual:understudy/bootstrap"')
})

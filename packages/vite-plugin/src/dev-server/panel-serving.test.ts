import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createLogger, createServer, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { understudy } from '../understudy.ts'

let root: string
let server: ViteDevServer | undefined
let said: string[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'understudy-panel-'))
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await writeFile(join(root, 'src/mocks/handlers.ts'), 'export const handlers = []')
  await writeFile(join(root, 'index.html'), '<!doctype html><title>App</title>')
})

afterEach(async () => {
  await server?.close()
  await rm(root, { recursive: true, force: true })
})

/** @returns the server's port */
async function start(options: Parameters<typeof understudy>[0], base = '/'): Promise<number> {
  said = []
  const customLogger = createLogger('silent')
  customLogger.info = (message) => said.push(message)
  server = await createServer({
    root,
    base,
    configFile: false,
    customLogger,
    plugins: [understudy(options)],
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { port: 0, host: '127.0.0.1' },
  })
  await server.listen()
  const [address = ''] = server.resolvedUrls?.local ?? []
  return Number(new URL(address).port)
}

interface Answer {
  readonly status: number | undefined
  readonly headers: Record<string, unknown>
  readonly text: string
}

/** `fetch` would set some of these headers itself. */
function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, headers, method }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }))
    })
      .on('error', reject)
      .end()
  })
}

/** Returns the status of a POST, whose response may be endless. */
function readStatus(port: number, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, headers, method: 'POST' }, (response) => {
      resolve(response.statusCode)
      response.destroy()
    })
      .on('error', reject)
      .end()
  })
}

test.each(['/', '/app/'])('serves the panel under the base "%s", and prints its URL', async (base) => {
  const port = await start({}, base)
  const page = await ask(port, `${base}__understudy/`, { 'sec-fetch-dest': 'document' })
  // The panel's page is not part of the app: no mocking starts in it.
  expect(page.text).not.toContain('virtual:understudy')
  expect(page.text).toContain('<title>Understudy</title>')
  expect(page.text).toContain(`src="${base}__understudy/panel.js"`)
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("frame-ancestors 'self'"),
    'cross-origin-resource-policy': 'same-origin',
  })
  const script = await ask(port, `${base}__understudy/panel.js`)
  expect(script.headers['content-type']).toContain('text/javascript')
  expect(await ask(port, `${base}__understudy`)).toMatchObject({
    status: 302,
    headers: { location: `${base}__understudy/` },
  })
  server?.printUrls()
  expect(said.filter((line) => line.includes('Understudy'))).toEqual([
    expect.stringContaining(`http://127.0.0.1:${port}${base}__understudy/`),
  ])
})

test.each([{ panel: false }, { enabled: false }])('serves no panel with %j', async (options) => {
  const port = await start(options)
  expect((await ask(port, '/__understudy/')).text).not.toContain('Understudy')
  server?.printUrls()
  expect(said.join()).not.toContain('Understudy')
})

const own = 'http://127.0.0.1'

test.each<[name: string, status: number, headers: (port: number) => Record<string, string>]>([
  ['a person who types its address', 200, () => ({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })],
  ['a person who follows a link', 200, () => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })],
  ['a page of the server', 200, (port) => ({ origin: `${own}:${port}`, 'sec-fetch-site': 'same-origin' })],
  ['a page of another port', 403, (port) => ({ origin: `${own}:${port + 1}`, 'sec-fetch-site': 'same-site' })],
  ['a page of another site', 403, () => ({ origin: 'https://example.com', 'sec-fetch-site': 'cross-site' })],
  ['a page that hides its origin', 403, () => ({ origin: 'null', 'sec-fetch-site': 'cross-site' })],
  ['an element of another site', 403, () => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })],
  ['a name that the server does not go by', 403, () => ({ host: 'rebound.example.com' })],
])('%s gets %i', async (_, status, headers) => {
  const port = await start({})
  const answer = await ask(port, '/__understudy/', headers(port))
  expect(answer.status).toBe(status)
  expect(answer.text.includes('understudy-token')).toBe(status === 200)
  expect(answer.headers['access-control-allow-origin']).toBe(undefined)
})

test.each([
  '/understudy-worker.js',
  '/__understudy',
  '/__understudy/',
  '/__understudy/panel.js',
  '/@id/__x00__virtual:understudy/bootstrap',
  '/@id/__x00__virtual:understudy/handlers',
])('%s is not for a name that the server does not go by, and not to be read by another site', async (path) => {
  const port = await start({})
  const rebound = await ask(port, path, { host: 'rebound.example.com' })
  expect(rebound.status).toBe(403)
  expect(rebound.text).not.toContain(root)
  const { headers } = await ask(port, path, { origin: 'https://example.com', 'sec-fetch-site': 'cross-site' })
  expect(headers['access-control-allow-origin']).toBe(undefined)
})

test('every run of the server has its own token', async () => {
  const read = async (port: number): Promise<string | undefined> =>
    /understudy-token" content="([^"]{20,})"/.exec((await ask(port, '/__understudy/')).text)?.[1]
  const first = await read(await start({}))
  await server?.close()
  const second = await read(await start({}))
  expect(first).toBeDefined()
  expect(second).toBeDefined()
  expect(second).not.toBe(first)
})

const secrets = ['locate', 'excerpt', 'connect', 'tell', 'save']

test.each(secrets)('"%s" is only for a page of this origin that has the token', async (name) => {
  const port = await start({})
  const token = /understudy-token" content="([^"]+)"/.exec((await ask(port, '/__understudy/')).text)?.[1] ?? ''
  const origin = `${own}:${port}`
  const post = async (headers: Record<string, string>): Promise<number | undefined> =>
    (await ask(port, `/__understudy/${name}`, headers, 'POST')).status
  expect(await post({})).toBe(403)
  expect(await post({ origin })).toBe(403)
  expect(await post({ 'x-understudy-token': token })).toBe(403)
  expect(await post({ origin, 'x-understudy-token': 'x'.repeat(token.length) })).toBe(403)
  expect(await post({ origin: `${own}:${port + 1}`, 'x-understudy-token': token })).toBe(403)
  expect(await post({ origin, 'x-understudy-token': token, host: 'rebound.example.com' })).toBe(403)
  const trusted = await readStatus(port, `/__understudy/${name}`, { origin, 'x-understudy-token': token })
  // A request without a body is accepted and has no effect.
  expect(trusted).toBe(name === 'connect' ? 200 : 400)
})

test('without server rendering, a connection is refused', async () => {
  const port = await start({ ssr: false })
  expect((await ask(port, '/__understudy/')).text).toContain('<meta name="understudy-server" content="no">')
  const token = /understudy-token" content="([^"]+)"/.exec((await ask(port, '/__understudy/')).text)?.[1] ?? ''
  const headers = { origin: `${own}:${port}`, 'x-understudy-token': token }
  expect(await readStatus(port, '/__understudy/connect', headers)).toBe(404)
})

test.each(['GET', 'POST', 'OPTIONS'])('%s of places returns nothing without the token', async (method) => {
  const port = await start({})
  const headers = { origin: `${own}:${port}`, 'content-type': 'application/json' }
  const { text } = await ask(port, '/__understudy/locate', headers, method)
  expect(text).not.toContain(root)
  expect(text).not.toContain('places')
})

/** Tests rendered pages with a Content Security Policy, on a real dev server. A middleware replaces the framework. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createServer, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { createRoot } from '../testing/create-root.ts'
import { understudy } from '../understudy.ts'

let root: string
let server: ViteDevServer | undefined

beforeEach(async () => {
  root = await createRoot()
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await writeFile(join(root, 'src/mocks/handlers.ts'), 'export const handlers = []')
  await writeFile(join(root, 'index.html'), '<!doctype html><html><head><title>App</title></head></html>')
})

afterEach(async () => {
  await server?.close()
})

/** Returns the scripts of a page that the dev server sends with a policy, and the origin of the scripts. */
async function readPage(
  policy: string,
  isRendered: boolean,
  headers: Record<string, string> = { 'sec-fetch-dest': 'document' },
): Promise<{ origin: string; scripts: string[] }> {
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    appType: isRendered ? 'custom' : 'spa',
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { port: 0, host: '127.0.0.1' },
    plugins: [
      understudy(),
      {
        name: 'framework',
        configureServer({ middlewares }) {
          middlewares.use((_request, response, next) => {
            response.setHeader('Content-Security-Policy', policy)
            next()
          })
          if (!isRendered) return undefined
          return () => {
            middlewares.use((_request, response) => {
              response.setHeader('Content-Type', 'text/html')
              response.end('<!doctype html><html><head><script src="/app.js"></script></head></html>')
            })
          }
        },
      },
    ],
  })
  await server.listen()
  const { origin } = new URL(server.resolvedUrls?.local[0] ?? '')
  const page = await fetch(origin, { headers: { accept: 'text/html', ...headers } })
  const text = await page.text()
  return { origin, scripts: Array.from(text.matchAll(/<script[^>]*>[^]*?<\/script>/g), ([script]) => script) }
}

test.each([
  ["script-src 'self'", /^<script data-understudy src="\/__understudy-start\.js"><\/script>$/],
  ["script-src 'nonce-a1'", /^<script data-understudy nonce="a1">[^]+import\(/],
  ["img-src 'self'", /^<script data-understudy>[^]+import\(/],
])('a rendered page with %s', async (policy, first) => {
  const { origin, scripts } = await readPage(policy, true)
  expect(scripts[0]).toMatch(first)
  expect(scripts[1]).toBe('<script src="/app.js"></script>')
  const start = await fetch(`${origin}/__understudy-start.js`)
  expect(start.headers.get('content-type')).toContain('text/javascript')
  expect(await start.text()).toContain('document.currentScript.remove();import(')
})

test('a rendered page whose navigation a service worker of Firefox forwards', async () => {
  const { scripts } = await readPage("img-src 'self'", true, {
    'sec-fetch-dest': 'empty',
    'sec-fetch-mode': 'same-origin',
    'upgrade-insecure-requests': '1',
  })
  expect(scripts[0]).toMatch(/^<script data-understudy>/)
})

test.each([
  ["script-src 'self'", /^<script data-understudy-gate="" src="\/__understudy-gate\.js"><\/script>$/],
  ["script-src 'nonce-a1' 'strict-dynamic'", /^<script nonce="a1" data-understudy-gate="">[^]+<\/script>$/],
  ["img-src 'self'", /^<script data-understudy-gate="">[^]+<\/script>$/],
])('a page of Vite’s own, with %s from a middleware', async (policy, first) => {
  const { origin, scripts } = await readPage(policy, false)
  expect(scripts[0]).toMatch(first)
  expect(scripts[1]).toContain('virtual:understudy/bootstrap')
  expect(scripts[1]?.includes('nonce="a1"')).toBe(policy.includes('nonce'))
  expect((await fetch(`${origin}/__understudy-gate.js`)).headers.get('content-type')).toContain('text/javascript')
})

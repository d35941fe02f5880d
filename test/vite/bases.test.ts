/** Tests pages of other servers than Vite's, on other origins, with certificates, and in frames. */
import { X509Certificate, createHash } from 'node:crypto'
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { allMocked, readAnswers } from '../acceptance/first-line.ts'
import { startPageServer } from '../acceptance/page-server.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { findPort, runTool } from '../acceptance/run-tool.ts'
import { certificate } from '../certificate.ts'
import { vite } from './vite.ts'

/** Makes the browser trust the certificate of the tests, as a developer's machine trusts mkcert's. */
const spki = new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' })
const trusting = `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`

let backend: CountingBackend
let browser: Browser
let project: Project
let visit: Visit
const endings: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  ;[backend, browser, project] = await Promise.all([
    startBackend(),
    launchBrowser(['--host-resolver-rules=MAP embedder.test 127.0.0.1']),
    createProject('test/fixtures/first-line'),
  ])
})

afterAll(async () => {
  await Promise.all([browser.close(), backend.close()])
  await project.dispose()
})

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
  const escaped = [...backend.requests]
  backend.forget()
  expect(escaped).toEqual([])
})

async function open(url: string, by: Browser = browser, options: { ignoreHTTPSErrors?: boolean } = {}): Promise<void> {
  visit = await openVisit(by, options)
  endings.push(() => visit.close())
  await visit.page.goto(url)
}

async function start(options: Parameters<typeof vite.configure>[1] = {}): Promise<RunningServer> {
  await vite.configure(project, { api: backend.origin, ...options })
  const server = await vite.start(project)
  endings.push(() => server.stop())
  return server
}

const inPageLines = (): string[] => visit.console.filter((line) => line.includes('in the page itself'))

async function expectMockedByWorker(): Promise<void> {
  expect(await readAnswers(visit.page)).toEqual(allMocked)
  expect(inPageLines()).toEqual([])
  expect(visit.errors).toEqual([])
}

/** An image's request is not answered in the page itself, and reaches the backend. */
async function expectMockedInPage(reason: string): Promise<void> {
  expect(await readAnswers(visit.page)).toEqual({ ...allMocked, image: 'error' })
  expect(inPageLines()).toEqual([expect.stringContaining(reason)])
  expect(backend.requests.filter((request) => request !== 'GET /api/image')).toEqual([])
  backend.forget()
}

test.each([
  ['./', '/'],
  ['https://cdn.example.com/assets/', '/assets/'],
])('the base %s', async (base, path) => {
  const server = await start({ base })
  await open(server.origin + path)
  await expectMockedByWorker()
})

test.each(['/', '/app/'])('behind a proxy that does not change paths, under the base %s', async (base) => {
  const server = await start({ base })
  const proxy = await startPageServer({ api: server.origin, proxy: server.origin })
  endings.push(() => proxy.close())
  await open(proxy.origin + base)
  await expectMockedByWorker()
})

test('middleware mode: Vite within a server of Node', async () => {
  await vite.configure(project, {})
  const port = await findPort()
  await project.write(
    'server.js',
    `import { createServer } from 'node:http'
import { createServer as createViteServer } from 'vite'

const http = createServer((request, response) => {
  if (request.url.startsWith('/api/')) return forward(request, response)
  vite.middlewares(request, response)
})
const vite = await createViteServer({ server: { middlewareMode: true, hmr: { server: http } } })
http.listen(${port}, '127.0.0.1', () => console.log('listening'))

async function forward({ method, url }, response) {
  response.end(await (await fetch('${backend.origin}' + url, { method })).text())
}
`,
  )
  const server = runTool(join(project.folder, 'server.js'), [], { folder: project.folder })
  endings.push(() => server.stop())
  await server.untilSaid(/listening/)
  await open(`http://localhost:${port}/`)
  await expectMockedByWorker()
})

async function startSecurely(): Promise<string> {
  const server = await start()
  const secure = await startPageServer({ api: server.origin, proxy: server.origin, certificate })
  endings.push(() => secure.close())
  return secure.origin
}

test('https, with a trusted certificate', async () => {
  const knowing = await launchBrowser([trusting])
  endings.push(() => knowing.close())
  await open(await startSecurely(), knowing)
  await expectMockedByWorker()
})

test.each([
  ['HTTP/2', false],
  ['HTTP/1.1, as where it has a proxy', true],
])('https of the dev server itself, by %s', async (_protocol, hasProxy) => {
  await vite.configure(project, hasProxy ? { api: backend.origin } : {})
  const config = await project.read('vite.config.js')
  const https = `"server":{"https":${JSON.stringify(certificate)},`
  await project.write(
    'vite.config.js',
    config.replace('"server":{', () => https),
  )
  const server = await vite.start(project)
  endings.push(() => server.stop())
  const knowing = await launchBrowser([trusting])
  endings.push(() => knowing.close())
  await open(server.origin.replace('http:', 'https:'), knowing)
  await expectMockedByWorker()
  // The panel shows the page there, too.
  const panel = await visit.context.newPage()
  await panel.goto(`${new URL(visit.page.url()).origin}/__understudy/`)
  await panel.getByRole('switch').first().waitFor()
})

test('https, with an untrusted certificate and a dismissed warning', async () => {
  await open(await startSecurely(), browser, { ignoreHTTPSErrors: true })
  await expectMockedInPage('the browser refuses the service worker')
  expect(inPageLines()).toEqual([expect.stringMatching(/^warning: .* If the browser does not trust the certificate/)])
})

test('a build with mocks in a folder of a static host, also on nested pages', async () => {
  await vite.configure(project, { base: './', plugin: { enabled: true }, pages: ['nested/index.html'] })
  const { code, output } = await vite.build(project)
  expect(code, output).toBe(0)
  const files = { folder: join(project.folder, 'dist'), base: '/demos/box-office/' }
  const host = await startPageServer({ api: backend.origin, files })
  endings.push(() => host.close())
  for (const path of ['', 'nested/']) {
    await open(host.origin + files.base + path)
    await expectMockedByWorker()
  }
})

test('a build with files on a CDN', async () => {
  // Both URLs must be known before the servers start.
  const files = { folder: join(project.folder, 'dist'), headers: { 'Access-Control-Allow-Origin': '*' } }
  const cdn = await startPageServer({ api: backend.origin, files: { ...files, base: '/assets/' } })
  const site = await startPageServer({ api: backend.origin, files: { ...files, base: '/' } })
  endings.push(
    () => cdn.close(),
    () => site.close(),
  )
  await vite.configure(project, { base: `${cdn.origin}/assets/`, plugin: { enabled: true } })
  const { code, output } = await vite.build(project)
  expect(code, output).toBe(0)
  await open(site.origin)
  await expectMockedInPage(`this page is not below ${site.origin}/assets/`)
})

test.each([
  ['of another origin', ''],
  ['of another origin, sandboxed', 'sandbox="allow-scripts"'],
])('in a frame of a page %s: nothing escapes', async (_name, attributes) => {
  // A sandboxed frame has an opaque origin: it can load modules only from a server that allows any origin.
  await vite.configure(project, { api: backend.origin })
  const config = await project.read('vite.config.js')
  await project.write('vite.config.js', config.replace('"server":{', '"server":{"cors":{"origin":"*"},'))
  const server = await vite.start(project)
  endings.push(() => server.stop())
  const embedder = await startPageServer({
    api: backend.origin,
    html: `<!doctype html><link rel="icon" href="data:,"><iframe ${attributes} src="${server.origin}"></iframe>`,
    host: 'embedder.test',
  })
  endings.push(() => embedder.close())
  await open(embedder.origin)
  const frame = visit.page.frame({ url: `${server.origin}/` })
  await expect
    .poll(() => frame?.evaluate(() => (globalThis as unknown as { answers?: Record<string, string> }).answers))
    .toEqual({ ...allMocked, image: expect.any(String) as unknown })
  expect(backend.requests.filter((request) => request !== 'GET /api/image')).toEqual([])
  backend.forget()
})

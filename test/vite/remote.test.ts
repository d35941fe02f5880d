/** Tests a dev server behind a reverse proxy in a separate process. */
import { X509Certificate, createHash } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

import type { Browser, FrameLocator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from '../acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, repository, savingUntil, type Project } from '../acceptance/project.ts'
import { runTool } from '../acceptance/run-tool.ts'
import { certificate } from '../certificate.ts'
import { vite } from './vite.ts'

const handlersFile = 'src/mocks/handlers.js'
/** A name that is neither `localhost` nor one of its aliases: by http, its pages are not secure contexts. */
const publicName = 'shop.test'

const spki = new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' })
const trusting = `--ignore-certificate-errors-spki-list=${createHash('sha256').update(spki).digest('base64')}`

/** An address of this machine in its network. A page of it is not a secure context. */
const lanAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

let backend: CountingBackend
let browser: Browser
let project: Project
let visit: Visit
const endings: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  ;[backend, browser] = await Promise.all([
    startBackend(),
    launchBrowser([trusting, `--host-resolver-rules=MAP ${publicName} 127.0.0.1`]),
  ])
})

afterAll(async () => {
  await Promise.all([browser.close(), backend.close()])
})

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
  const escaped = [...backend.requests]
  backend.forget()
  expect(escaped).toEqual([])
})

interface Given {
  readonly protocol: 'http' | 'https'
  /** The proxy's handling of the header `Host`. */
  readonly host: 'kept' | 'rewritten'
  /** The proxy's handling of the header `Origin`. Default: it keeps it. */
  readonly origin?: 'removed'
  readonly base?: string
  /** The host name in the app's address. Default: `shop.test`. */
  readonly name?: string
}

/** Starts the dev server and the proxy, and opens the app. Returns the app's address. */
async function open({ protocol, host, origin, base = '/', name = publicName }: Given): Promise<string> {
  project = await createProject('test/fixtures/hot')
  endings.push(() => project.dispose())
  await vite.configure(project, {
    api: backend.origin,
    base,
    plugin: { panel: { dock: true } },
    ...(host === 'kept' && { hosts: [publicName] }),
  })
  const server = await vite.start(project)
  endings.push(() => server.stop())
  const script = join(repository, 'test/vite/reverse-proxy.ts')
  const proxy = runTool(script, [String(server.port), protocol, host, origin ?? 'kept'], { folder: repository })
  endings.push(() => proxy.stop())
  const [, port] = await proxy.untilSaid(/port (\d+)/)
  visit = await openVisit(browser)
  endings.push(() => visit.close())
  const address = `${protocol}://${name}:${port}${base}`
  await visit.page.goto(address)
  await visit.page.waitForFunction('window.ask')
  return address
}

const ask = (): Promise<string> => visit.page.evaluate("ask('/api/handlers')")
const inPageLines = (): string[] => visit.console.filter((line) => line.includes('in the page itself'))

/** Saves an edit of the handlers, and waits until it applies to the page, which stays. */
async function edit(): Promise<void> {
  await visit.page.evaluate("globalThis.marker = 'this page'")
  const original = await project.read(handlersFile)
  await savingUntil(project, handlersFile, original.replace('handlers 0', 'handlers 1'), ask).toBe('handlers 1')
  expect(await visit.page.evaluate('globalThis.marker')).toBe('this page')
}

async function openPanel(address: string): Promise<Visit> {
  const panel = await openPage(visit.context)
  await panel.page.goto(`${address}__understudy/`)
  await panel.page.getByRole('switch', { name: 'GET /api/handlers' }).waitFor()
  return panel
}

/** The link from a handler to its line appears only if the dev server answers the panel's requests. */
async function expectPlace(panel: Page | FrameLocator): Promise<void> {
  await panel
    .getByRole('button', { name: /^Open src\/mocks\/handlers\.js:\d+ in the editor/ })
    .first()
    .waitFor()
}

test.each<Given & { mocksBy: 'worker' | 'page' }>([
  { protocol: 'https', host: 'kept', mocksBy: 'worker' },
  { protocol: 'https', host: 'rewritten', base: '/team/app/', mocksBy: 'worker' },
  { protocol: 'http', host: 'rewritten', name: 'localhost', mocksBy: 'worker' },
  { protocol: 'http', host: 'kept', mocksBy: 'page' },
])(
  'behind a proxy by $protocol, the host $host, mocked by the $mocksBy: mocks, hot swap, dock and panel',
  async (given) => {
    const address = await open(given)
    expect(await ask()).toBe('handlers 0')
    expect(inPageLines()).toHaveLength(given.mocksBy === 'page' ? 1 : 0)
    await edit()
    await visit.page.getByRole('button', { name: 'Understudy', exact: true }).click()
    await expectPlace(visit.page.frameLocator('iframe[title="Understudy panel"]'))
    const panel = await openPanel(address)
    await expectPlace(panel.page)
    expect([...visit.errors, ...panel.errors]).toEqual([])
  },
)

test('behind a proxy that removes the origin, the panel reloads only once', async () => {
  const address = await open({ protocol: 'https', host: 'kept', origin: 'removed' })
  expect(await ask()).toBe('handlers 0')
  const panel = await openPanel(address)
  await expect.poll(() => panel.navigations.length).toBeGreaterThan(1)
  // The edited handlers have new places: the panel asks for them, too.
  const refused = panel.page.waitForResponse((response) => response.status() === 403)
  await edit()
  await refused
  await panel.page.getByRole('switch', { name: 'GET /api/handlers' }).waitFor()
  expect(panel.navigations).toHaveLength(2)
  expect([...visit.errors, ...panel.errors]).toEqual([])
})

test.skipIf(lanAddress === undefined)('vite --host, with an address of the network: mocked in the page', async () => {
  project = await createProject('test/fixtures/hot')
  endings.push(() => project.dispose())
  await vite.configure(project, { api: backend.origin, plugin: { panel: { dock: true } } })
  const server = await vite.start(project, { host: '0.0.0.0' })
  endings.push(() => server.stop())
  visit = await openVisit(browser)
  endings.push(() => visit.close())
  const address = `http://${lanAddress}:${server.port}/`
  await visit.page.goto(address)
  await visit.page.waitForFunction('window.ask')
  expect(await visit.page.evaluate('isSecureContext')).toBe(false)
  expect(await ask()).toBe('handlers 0')
  expect(inPageLines()).toHaveLength(1)
  await edit()
  await expectPlace((await openPanel(address)).page)
  // The panel is a document, for which the server loads the handlers. Nothing renders pages here.
  expect(server.process.output).not.toContain('(ssr) connected')
  expect(visit.errors).toEqual([])
})

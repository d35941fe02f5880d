import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { row } from './panel-parts.ts'
import { createProject, repository, savingUntil, type Project } from './project.ts'
import { runTool } from './run-tool.ts'
import { waitUntil, type BrowserDriver, type TestBrowser, type TestPage, type TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'
/** A name that is neither `localhost` nor one of its aliases: by http, its pages are not secure contexts. */
export const publicName = 'shop.test'

/** An address of this machine in its network. A page of it is not a secure context. */
const lanAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

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

/** How the dev server handles the headers that a proxy changes is the same for all browsers. */
const otherHosts = [
  { protocol: 'https', host: 'rewritten', base: '/team/app/', mocksBy: 'worker' },
  { protocol: 'http', host: 'rewritten', name: 'localhost', mocksBy: 'worker' },
] as const

/** An expression for the document of the panel in the dock. */
const docked = `document.querySelector('understudy-dock')?.shadowRoot.querySelector('iframe')?.contentDocument`

/** Tests a dev server that a browser reaches through a reverse proxy in a separate process, or by an address of the network. */
export function testRemote(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, a dev server with another address`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let project: Project
    let visit: TestVisit
    const endings: (() => Promise<unknown>)[] = []

    beforeAll(async () => {
      const launched = driver.launch({ hosts: [publicName], certificates: 'of the tests' })
      ;[backend, browser] = await Promise.all([startBackend(), launched])
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

    /** Starts the dev server and the proxy, and opens the app. Returns the app's address. */
    async function open({ protocol, host, origin, base = '/', name = publicName }: Given): Promise<string> {
      project = await createProject('test/fixtures/hot')
      endings.push(() => project.dispose())
      await tool.configure(project, {
        api: backend.origin,
        base,
        plugin: { panel: { dock: true } },
        ...(host === 'kept' && { hosts: [publicName] }),
      })
      const server = await tool.start(project)
      endings.push(() => server.stop())
      const script = join(repository, 'test/vite/reverse-proxy.ts')
      const proxy = runTool(script, [String(server.port), protocol, host, origin ?? 'kept'], { folder: repository })
      endings.push(() => proxy.stop())
      const [, port] = await proxy.untilSaid(/port (\d+)/)
      visit = await browser.openVisit()
      endings.push(() => visit.close())
      const address = `${protocol}://${name}:${port}${base}`
      await visit.page.goto(address)
      await waitUntil(visit.page, 'window.ask')
      return address
    }

    const ask = (): Promise<string> => visit.page.evaluate("ask('/api/handlers')")
    const inPageLines = (): string[] => visit.console.filter((line) => line.includes('in the page itself'))

    /** Saves an edit of the handlers, and waits until it applies to the page, which stays. */
    async function edit(): Promise<void> {
      await visit.page.evaluate("void (globalThis.marker = 'this page')")
      const original = await project.read(handlersFile)
      await savingUntil(project, handlersFile, original.replace('handlers 0', 'handlers 1'), ask).toBe('handlers 1')
      expect(await visit.page.evaluate('globalThis.marker')).toBe('this page')
    }

    async function openPanel(address: string): Promise<TestVisit> {
      const panel = await visit.profile.openPage()
      await panel.page.addInitScript(() => {
        const native = globalThis.fetch
        globalThis.fetch = async (...args) => {
          const response = await native(...args)
          if (response.status === 403) Object.assign(globalThis, { isRefused: true })
          return response
        }
      })
      await panel.page.goto(`${address}__understudy/`)
      await waitUntil(panel.page, row('GET /api/handlers'))
      return panel
    }

    /** The link from a handler to its line appears only if the dev server answers the panel's requests. */
    const waitForPlace = (page: TestPage, panel = 'document'): Promise<void> =>
      waitUntil(page, `${panel}?.querySelector('button[aria-label^="Open src/mocks/handlers.js:"]')`)

    test.each<Given & { mocksBy: 'worker' | 'page' }>([
      { protocol: 'https', host: 'kept', mocksBy: 'worker' },
      { protocol: 'http', host: 'kept', mocksBy: 'page' },
      ...(driver === chromium ? otherHosts : []),
    ])(
      'behind a proxy by $protocol, the host $host, mocked by the $mocksBy: mocks, hot swap, dock and panel',
      async (given) => {
        const address = await open(given)
        expect(await ask()).toBe('handlers 0')
        expect(inPageLines()).toHaveLength(given.mocksBy === 'page' ? 1 : 0)
        await edit()
        const button = `document.querySelector('understudy-dock')?.shadowRoot.querySelector('button')`
        await waitUntil(visit.page, button)
        await visit.page.evaluate(`${button}.click()`)
        await waitForPlace(visit.page, docked)
        const panel = await openPanel(address)
        await waitForPlace(panel.page)
        expect([...visit.errors, ...panel.errors]).toEqual([])
      },
    )

    if (driver !== chromium) return

    test('behind a proxy that removes the origin, the panel reloads only once', async () => {
      const address = await open({ protocol: 'https', host: 'kept', origin: 'removed' })
      expect(await ask()).toBe('handlers 0')
      const panel = await openPanel(address)
      await expect.poll(() => panel.navigations.length).toBeGreaterThan(1)
      // The dev server also refuses the requests of the reloaded panel.
      await waitUntil(panel.page, 'globalThis.isRefused')
      await edit()
      await waitUntil(panel.page, row('GET /api/handlers'))
      expect(panel.navigations).toHaveLength(2)
      expect([...visit.errors, ...panel.errors]).toEqual([])
    })

    test.skipIf(lanAddress === undefined)(
      'vite --host, with an address of the network: mocked in the page',
      async () => {
        project = await createProject('test/fixtures/hot')
        endings.push(() => project.dispose())
        await tool.configure(project, { api: backend.origin, plugin: { panel: { dock: true } } })
        const server = await tool.start(project, { host: '0.0.0.0' })
        endings.push(() => server.stop())
        visit = await browser.openVisit()
        endings.push(() => visit.close())
        const address = `http://${lanAddress}:${server.port}/`
        await visit.page.goto(address)
        await waitUntil(visit.page, 'window.ask')
        expect(await visit.page.evaluate('isSecureContext')).toBe(false)
        expect(await ask()).toBe('handlers 0')
        expect(inPageLines()).toHaveLength(1)
        await edit()
        await waitForPlace((await openPanel(address)).page)
        // The panel is a document, for which the server loads the handlers. Nothing renders pages here.
        expect(server.process.output).not.toContain('(ssr) connected')
        expect(visit.errors).toEqual([])
      },
    )
  })
}

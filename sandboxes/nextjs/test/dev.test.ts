/** Tests the app in Chromium on Next's dev server, with a backend that counts its requests. None may reach it. */
import { setTimeout } from 'node:timers/promises'

import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { savingUntil, type Project } from '../../../test/acceptance/project.ts'
import { createApp, startDev, type NextServer } from './next-server.ts'

const handlersFile = 'src/mocks/handlers.ts'
const titleFile = 'src/mocks/title.ts'

describe.for([
  ['Turbopack', []],
  ['webpack', ['--webpack']],
] as const)('Next.js with %s', ([_name, args]) => {
  let backend: CountingBackend
  let browser: Browser
  let project: Project
  let server: NextServer
  let visit: Visit
  let page: Page

  beforeAll(async () => {
    ;[backend, browser, project] = await Promise.all([startBackend(), launchBrowser(), createApp()])
    server = await startDev(project, { args, env: { API_ORIGIN: backend.origin } })
    // The first visit compiles the page.
    await render()
    await open()
    await visit.close()
  })

  afterAll(async () => {
    await Promise.all([browser.close(), server.process.stop(), backend.close()])
    await project.dispose()
  })

  afterEach(async () => {
    const { errors } = visit
    await visit.close()
    const escaped = [...backend.requests]
    backend.forget()
    expect({ escaped, errors }).toEqual({ escaped: [], errors: [] })
  })

  async function open(path = '/'): Promise<void> {
    await untilCompiled()
    visit = await openVisit(browser)
    page = visit.page
    await page.goto(server.origin + path, { timeout: 90_000 })
  }

  /** Waits until the server prints nothing more about the edits of an earlier test. See {@link render}. */
  async function untilCompiled(): Promise<void> {
    for (let known = -1; known !== server.process.output.length;) {
      known = server.process.output.length
      await setTimeout(1000)
    }
  }

  /**
   * Renders a page. While it compiles for webpack, Next 16 reads manifests that it has not written to the end. It then responds
   * with its own error page, which names `loadManifest`, without running the app. Only this page is requested again.
   */
  async function render(path = '/'): Promise<string> {
    for (;;) {
      const html = await (await fetch(server.origin + path)).text()
      if (!/"page":"\/_error".*Unexpected end of JSON input.*at loadManifest/.test(html)) return html
      await setTimeout(200)
    }
  }
  const seats = (): Promise<string> => page.evaluate(async () => (await fetch('/api/seats')).text())

  test('server components, components of the page and server actions are mocked, and the page hydrates without a warning', async () => {
    await open()
    await page.getByRole('heading', { name: 'A mocked title' }).waitFor()
    await page.getByText('42 seats left').waitFor()
    await page.getByRole('button', { name: 'Book' }).click()
    await page.getByText('Booked: 12A').waitFor()
    const lines = visit.console.join('\n')
    expect(lines).toContain('Mocking is on')
    // The message waits for the dev server, which has the source maps.
    await expect.poll(() => visit.console.join('\n')).toMatch(/Handler GET \/api\/seats src\/mocks\/handlers\.ts:7:\d+/)
    expect(lines).not.toMatch(/^(error|warning)/m)
  })

  test('route handlers, the proxy, edge functions and pages of the Pages Router are mocked', async () => {
    await open()
    const quote = await fetch(`${server.origin}/quotes`)
    expect(quote.headers.get('x-quote')).toBe('A mocked quote')
    expect(await quote.json()).toEqual({ text: 'A mocked quote', for: 'node' })
    expect(JSON.parse(await render('/edge'))).toEqual({ text: 'A mocked quote', for: 'edge' })
    expect(await render('/older')).toContain('<h1>A mocked title</h1>')
  })

  test('WebSockets of web workers are mocked', async () => {
    await open('/messages')
    await expect
      .poll(async () => (await page.getByRole('listitem').allTextContents()).toSorted())
      .toEqual(
        ['a classic script', 'a module', 'a nested web worker', 'a shared worker'].map(
          (kind) => `A mocked greeting in ${kind}`,
        ),
      )
  })

  test('an edit of the handlers applies to server and page, without a reload', async () => {
    await open()
    await page.getByText('42 seats left').waitFor()
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    const original = await project.read(handlersFile)
    await savingUntil(project, handlersFile, original.replace('42', '7'), seats).toBe('{"left":7}')
    const title = await project.read(titleFile)
    await savingUntil(project, titleFile, title.replace('A mocked', 'Another'), render).toContain('Another title')
    await savingUntil(project, titleFile, title, render).toContain('A mocked title')
    await savingUntil(project, handlersFile, original, seats).toBe('{"left":42}')
    expect(await page.evaluate('isSamePage')).toBe(true)
  })

  test('the mocks of the server survive its recompilations', async () => {
    await open()
    const file = 'src/app/quotes/route.ts'
    const original = await project.read(file)
    for (const mark of ['first', 'second', 'third']) {
      const edited = original.replace('.json())', `.json(), { headers: { 'x-edit': '${mark}' } })`)
      await savingUntil(project, file, edited, async () => {
        const response = await fetch(`${server.origin}/quotes`)
        return [response.headers.get('x-edit'), await response.json()]
      }).toEqual([mark, { text: 'A mocked quote', for: 'node' }])
    }
    await project.write(file, original)
    expect(await render('/older')).toContain('A mocked title')
  })

  test('the terminal shows broken handlers, and the previous handlers stay on both sides', async () => {
    await open()
    await page.getByText('42 seats left').waitFor()
    const original = await project.read(handlersFile)
    const from = server.process.output.length
    const broken = `${original}\nnowhere()\n`
    const lines = (): Promise<string> => Promise.resolve(visit.console.join('\n'))
    await savingUntil(project, handlersFile, broken, lines).toContain('the previous handlers keep answering')
    await server.process.untilSaid(/\[understudy\].*nowhere is not defined \(at .*handlers\.ts:\d+/, from)
    expect(await render()).toContain('A mocked title')
    expect(await seats()).toBe('{"left":42}')
    await savingUntil(project, handlersFile, original.replace('42', '8'), seats).toBe('{"left":8}')
    await savingUntil(project, handlersFile, original, seats).toBe('{"left":42}')
    // The page reported the error, as it should.
    visit.errors.length = 0
  })

  test('a button in the page opens the panel', async () => {
    // Without a setting, a browser that a tool controls shows none.
    await open()
    await page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
    await page.reload()
    await page.getByText('42 seats left').waitFor()
    await page.getByRole('button', { name: 'Understudy', exact: true }).click()
    const panel = page.frameLocator('iframe[title="Understudy panel"]')
    await panel.getByRole('button', { name: 'Browser', exact: true }).click()
    await expect
      .poll(() => panel.getByRole('listitem').allTextContents())
      .toContainEqual(expect.stringMatching(/seats.*[1-9]\d* hits?/))
  })

  test('the panel shows the requests of the server and of the page', async () => {
    await open()
    await page.getByText('42 seats left').waitFor()
    await render()
    const [, address = ''] = await server.process.untilSaid(/Understudy:\s+(http\S+)/)
    expect(address).toBe(`${server.origin}/__understudy/`)
    const panel = await visit.context.newPage()
    await panel.goto(address)
    await panel.getByRole('button', { name: 'Dev server' }).click()
    const rows = panel.getByRole('listitem')
    await expect.poll(() => rows.allTextContents()).toContainEqual(expect.stringMatching(/title.*[1-9]\d* hits?/))
    await panel.getByRole('button', { name: 'Browser' }).click()
    await expect.poll(() => rows.allTextContents()).toContainEqual(expect.stringMatching(/seats.*[1-9]\d* hits?/))
    const line = (await project.read(handlersFile)).split('\n').findIndex((text) => text.includes('/api/seats')) + 1
    await expect
      .poll(() => rows.allTextContents())
      .toContainEqual(expect.stringMatching(new RegExp(`seats.*mocks/handlers\\.ts:${line}200`)))
  })

  test('an unhandled request is saved as a handler without a reload, and undone', async () => {
    await open()
    await page.getByText('42 seats left').waitFor()
    const ask = (): Promise<number> => page.evaluate(async () => (await fetch('/data/unknown')).status)
    expect(await ask()).toBe(404)
    await page.evaluate('globalThis.isSamePage = true')
    const panel = await visit.context.newPage()
    await panel.goto(`${server.origin}/__understudy/`)
    await panel.getByRole('button', { name: 'Browser', exact: true }).click()
    await panel.getByRole('tab', { name: /Unhandled/ }).click()
    const before = await project.read(handlersFile)
    await panel.getByRole('button', { name: 'Save as handler: GET /data/unknown' }).click()
    await panel.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => project.read(handlersFile)).toContain("http.get('/data/unknown'")
    await expect.poll(ask).toBe(200)
    await panel.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(() => project.read(handlersFile)).toBe(before)
    await expect.poll(ask).toBe(404)
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  })
})

/** Tests the panel in the app's page, on a real dev server. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import axe from 'axe-core'
import type { Browser, FrameLocator, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { vite } from './vite.ts'

const handlers = `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
  http.get('/api/broken', () => { throw new Error('no seats') }),
  http.all('/__understudy/*', () => HttpResponse.json({ from: 'the mock' })),
]
`

const main = `window.ask = async (path) => (await fetch(path)).status
`

let backend: CountingBackend
let browser: Browser
let visit: Visit | undefined

beforeAll(async () => {
  ;[backend, browser] = await Promise.all([startBackend(), launchBrowser()])
})
afterAll(async () => {
  await Promise.all([browser.close(), backend.close()])
})
afterEach(async () => {
  await visit?.close()
  visit = undefined
})

interface Given {
  readonly panel?: unknown
  readonly policy?: string
}

/** Serves an app with a separate dev server. */
function serve({ panel = { dock: true }, policy }: Given = {}): {
  readonly server: RunningServer
  readonly project: Project
} {
  const served = {} as { server: RunningServer; project: Project }
  beforeAll(async () => {
    served.project = await createProject('test/fixtures/hot', {
      'src/mocks/handlers.ts': handlers,
      'src/main.js': main,
    })
    await vite.configure(served.project, {
      api: backend.origin,
      plugin: { panel },
      ...(policy !== undefined && { policy }),
    })
    served.server = await vite.start(served.project)
  })
  afterAll(async () => {
    await served.server?.stop()
    await served.project?.dispose()
  })
  return served
}

async function open(server: RunningServer): Promise<Page> {
  visit = await openVisit(browser)
  await visit.page.goto(server.origin)
  await visit.page.waitForFunction('window.ask')
  return visit.page
}

const ask = (page: Page, path: string): Promise<number> => page.evaluate(`ask(${JSON.stringify(path)})`)
const toggle = (page: Page): Locator => page.getByRole('button', { name: 'Understudy', exact: true })
const dock = (page: Page): Locator => page.getByRole('region', { name: 'Understudy' })
const panel = (page: Page): FrameLocator => page.frameLocator('iframe[title="Understudy panel"]')
const share = async (page: Page, side: 'height' | 'width'): Promise<number> => {
  const [box, size] = [await dock(page).boundingBox(), page.viewportSize()]
  return Math.round(((box?.[side] ?? 0) / (size?.[side] ?? 1)) * 100)
}

describe('by the setting "dock: true"', () => {
  const served = serve()

  test('the button counts unhandled requests and errors, and opens the panel of this page', async () => {
    const page = await open(served.server)
    const children = await page.evaluate(() => document.body.childElementCount)
    await toggle(page).waitFor()
    expect(await toggle(page).getAttribute('aria-description')).toBe('')
    await ask(page, '/api/user')
    await ask(page, '/api/usr')
    await ask(page, '/api/broken')
    await expect.poll(() => toggle(page).getAttribute('aria-description')).toBe('1 unhandled request, 1 error')
    expect(await page.locator('understudy-dock .badge').textContent()).toBe('2')
    await toggle(page).click()
    await panel(page).getByRole('tab', { name: 'Requests' }).click()
    await panel(page)
      .getByRole('option', { name: /\/api\/usr/ })
      .waitFor()
    // The panel's own requests are neither mocked nor logged.
    expect(
      await panel(page)
        .getByRole('option', { name: /__understudy/ })
        .allTextContents(),
    ).toEqual([])
    await panel(page).getByRole('tab', { name: 'Handlers' }).click()
    await panel(page).getByText('handlers.ts:4').first().waitFor()
    expect(await page.evaluate(() => document.body.childElementCount)).toBe(children)
    expect(visit?.errors).toEqual([])
  })

  test('the panel does not show another open page', async () => {
    const page = await open(served.server)
    await toggle(page).click()
    await panel(page).getByRole('tab', { name: 'Requests' }).click()
    const other = await page.context().newPage()
    await other.goto(`${served.server.origin}?other`)
    await other.waitForFunction('window.ask')
    await ask(other, '/api/user?of-the-other')
    await ask(page, '/api/user?of-this')
    await panel(page)
      .getByRole('option', { name: /of-this/ })
      .waitFor()
    expect(
      await panel(page)
        .getByRole('option', { name: /of-the-other/ })
        .count(),
    ).toBe(0)
  })

  test('the shortcut opens and closes it, from within the panel too', async () => {
    const page = await open(served.server)
    await toggle(page).waitFor()
    await page.keyboard.press('Alt+Shift+KeyU')
    await panel(page).getByRole('tab', { name: 'Handlers' }).focus()
    await page.keyboard.press('Alt+Shift+KeyU')
    await toggle(page).waitFor()
    expect(await dock(page).isHidden()).toBe(true)
    expect(await toggle(page).evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  test('the position, size and settings of the panel survive a reload', async () => {
    const page = await open(served.server)
    await toggle(page).click()
    await page.getByRole('button', { name: 'Dock to the right' }).click()
    const before = await share(page, 'width')
    await page.getByRole('separator', { name: 'Panel size' }).press('ArrowLeft')
    await expect.poll(() => share(page, 'width')).toBe(before + 5)
    await panel(page).getByRole('switch', { name: 'GET /api/user' }).click()
    await panel(page).getByText('1 handler overridden').waitFor()
    await page.reload()
    await panel(page).getByText('1 handler overridden').waitFor()
    expect(await share(page, 'width')).toBe(before + 5)
    await page.getByRole('button', { name: 'Close Understudy' }).click()
    await page.reload()
    await toggle(page).waitFor()
    expect(await dock(page).isHidden()).toBe(true)
  })

  test('the pointer can move its edge, also over the panel', async () => {
    const page = await open(served.server)
    await toggle(page).click()
    await panel(page).getByRole('tab', { name: 'Handlers' }).waitFor()
    const box = await dock(page).boundingBox()
    await page.mouse.move(200, box?.y ?? 0)
    await page.mouse.down()
    await page.mouse.move(200, (page.viewportSize()?.height ?? 0) * 0.25, { steps: 4 })
    await page.mouse.up()
    expect(await share(page, 'height')).toBe(75)
  })

  test('it stays with its settings when the app replaces the content of the document', async () => {
    const page = await open(served.server)
    await toggle(page).click()
    await panel(page).getByRole('switch', { name: 'GET /api/user' }).click()
    await panel(page).getByText('1 handler overridden').waitFor()
    await page.evaluate(() => {
      document.documentElement.innerHTML = '<head></head><body><h1>Another page</h1></body>'
    })
    await panel(page).getByText('1 handler overridden').waitFor()
    await page.evaluate(() => document.documentElement.replaceWith(document.createElement('html')))
    await panel(page).getByText('1 handler overridden').waitFor()
    await page.getByRole('button', { name: 'Close Understudy' }).click()
    await toggle(page).waitFor()
    expect(await page.locator('understudy-dock').count()).toBe(1)
  })

  test('rules of the app for all elements do not apply to it', async () => {
    const page = await open(served.server)
    await toggle(page).waitFor()
    const before = await toggle(page).boundingBox()
    await page.addStyleTag({
      content: 'body, body *, understudy-dock { display: none !important; opacity: 0.5; transform: scale(0.5); }',
    })
    expect(await toggle(page).isVisible()).toBe(true)
    expect(await toggle(page).boundingBox()).toEqual(before)
    expect(await page.locator('understudy-dock').evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
  })

  test('it is above the elements of the app, whatever their z-index is', async () => {
    const page = await open(served.server)
    await page.evaluate(() => {
      document.body.innerHTML = '<div style="position: fixed; inset: 0; z-index: 2147483647; background: red"></div>'
    })
    const box = await toggle(page).boundingBox()
    const top = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.localName, [
      (box?.x ?? 0) + 18,
      (box?.y ?? 0) + 18,
    ] as const)
    expect(top).toBe('understudy-dock')
  })

  test('the focus ring of a button in its bar is inside of the button, because the panel covers what is outside', async () => {
    const page = await open(served.server)
    await toggle(page).click()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    const ring = await page.getByRole('button', { name: 'Close Understudy' }).evaluate((button) => {
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(button)
      return { outlineStyle, outside: parseFloat(outlineWidth) + parseFloat(outlineOffset) }
    })
    expect(ring).toEqual({ outlineStyle: 'solid', outside: 0 })
  })

  test.each([
    ['light', 1200, 'bottom'],
    ['dark', 1200, 'right'],
    ['dark', 400, 'bottom'],
  ] as const)('it has no faults of accessibility: %s, %i pixels, %s', async (colorScheme, width, side) => {
    const page = await open(served.server)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 700 })
    await toggle(page).waitFor()
    await ask(page, '/api/usr')
    await page.locator('understudy-dock .badge').filter({ hasText: '1' }).waitFor()
    const violations: unknown[] = []
    const check = async (): Promise<void> => {
      await page.evaluate(axe.source)
      const found: unknown[] = await page.evaluate(
        'axe.run("understudy-dock", { iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
      )
      violations.push(...found)
    }
    await check()
    await toggle(page).click()
    await panel(page).getByRole('tab', { name: 'Handlers' }).waitFor()
    if (side === 'right') await page.getByRole('button', { name: 'Dock to the right' }).click()
    await check()
    expect(violations).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })

  test('a build contains none of it', async () => {
    const { code, output } = await vite.build(served.project)
    expect(code, output).toBe(0)
    const folder = join(served.project.folder, 'dist')
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'utf8')),
    )
    expect(texts).not.toEqual([])
    for (const text of texts) expect(text).not.toMatch(/understudy|dock\.js/i)
  })
})

describe('without a setting', () => {
  const served = serve({ panel: true })

  test('a browser that a tool controls shows no button', async () => {
    const page = await open(served.server)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('understudy-dock').count()).toBe(0)
  })

  test('a browser that a person controls shows the button, only in the top window', async () => {
    visit = await openVisit(browser)
    await visit.page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
    await visit.page.goto(served.server.origin)
    await toggle(visit.page).waitFor()
    const frame = await visit.page.evaluateHandle((url) => {
      const element = document.createElement('iframe')
      element.src = url
      document.body.append(element)
      return new Promise<HTMLIFrameElement>((resolve) => element.addEventListener('load', () => resolve(element)))
    }, `${served.server.origin}?frame`)
    const inner = await frame.asElement()?.contentFrame()
    await inner?.waitForFunction('window.ask')
    await inner?.waitForLoadState('networkidle')
    expect(await inner?.locator('understudy-dock').count()).toBe(0)
  })
})

describe('by the setting "dock: false"', () => {
  const served = serve({ panel: { dock: false } })

  test('no page shows a button, and the panel opens in a tab', async () => {
    visit = await openVisit(browser)
    await visit.page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
    await visit.page.goto(served.server.origin)
    await visit.page.waitForLoadState('networkidle')
    expect(await visit.page.locator('understudy-dock').count()).toBe(0)
    expect(await visit.page.evaluate(() => fetch('/__understudy/panel.js').then((response) => response.status))).toBe(
      200,
    )
  })
})

describe('under a policy that forbids frames, styles and text as scripts', () => {
  const served = serve({
    policy:
      "default-src 'none'; img-src data:; script-src 'self'; connect-src 'self' ws:; worker-src 'self'; style-src 'self'; frame-src 'none'; require-trusted-types-for 'script'",
  })

  test('the button works, and the dock says what to add', async () => {
    const page = await open(served.server)
    await toggle(page).click()
    await page.getByText("Add frame-src 'self', or open it in a tab.").waitFor()
    expect(visit?.errors).toEqual([])
    const refused = visit?.console.filter((line) => /Content Security Policy|Trusted/.test(line) && !/fram/i.test(line))
    expect(refused).toEqual([])
  })
})

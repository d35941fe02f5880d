/** Tests the panel in the app's page, on a real dev server. */
import axe from 'axe-core'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'

import { openVisit, type Visit } from '../acceptance/browser.ts'
import { ask, dock, dockFiles, panel, share, testDock, toggle } from '../acceptance/dock.ts'
import { serveApp, type ServedApp } from '../acceptance/serve-app.ts'
import { vite } from './vite.ts'

/** Serves an app with a separate dev server. */
const serve = (setting: unknown, policy?: string): ServedApp =>
  serveApp(vite, dockFiles, { plugin: { panel: setting }, ...(policy !== undefined && { policy }) })

const open = async (served: ServedApp): Promise<Page> => (await served.openApp()).page

/** Opens the app as in a browser that a person controls. */
async function openByHand({ browser, server }: ServedApp): Promise<Visit> {
  const visit = await openVisit(browser)
  await visit.page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
  await visit.page.goto(server.origin)
  return visit
}

testDock(vite)

describe('by the setting "dock: true"', () => {
  const served = serve({ dock: true })

  test('the pointer can move its edge, also over the panel', async () => {
    const page = await open(served)
    await toggle(page).click()
    await panel(page).getByRole('tab', { name: 'Handlers' }).waitFor()
    const box = await dock(page).boundingBox()
    await page.mouse.move(200, box?.y ?? 0)
    await page.mouse.down()
    await page.mouse.move(200, (page.viewportSize()?.height ?? 0) * 0.25, { steps: 4 })
    await page.mouse.up()
    expect(await share(page, 'height')).toBe(75)
  })

  test('rules of the app for all elements do not apply to it', async () => {
    const page = await open(served)
    await toggle(page).waitFor()
    const before = await toggle(page).boundingBox()
    await page.addStyleTag({
      content:
        'body, body *, understudy-dock { display: none !important; opacity: 0.5; transform: scale(0.5); } html { direction: rtl; }',
    })
    expect(await toggle(page).isVisible()).toBe(true)
    expect(await toggle(page).boundingBox()).toEqual(before)
    expect(await page.locator('understudy-dock').evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
    expect(await toggle(page).evaluate((element) => getComputedStyle(element).direction)).toBe('ltr')
  })

  test('its own rules do not apply to the app', async () => {
    const page = await open(served)
    await toggle(page).waitFor()
    const looks = (): Promise<unknown> =>
      page.evaluate(() =>
        ['button', 'section', 'div', 'iframe', 'span', 'a'].map((name) => {
          const element = document.createElement(name)
          // The names that the dock uses.
          element.className = 'dock toggle bar badge resizer side'
          document.body.append(element)
          const style = getComputedStyle(element)
          const values = Array.from(style, (property) => `${property}: ${style.getPropertyValue(property)}`)
          element.remove()
          return values
        }),
      )
    const closed = await looks()
    await toggle(page).click()
    await panel(page).getByRole('tab', { name: 'Handlers' }).waitFor()
    const opened = await looks()
    await page.route('**/dock.js', (route) => route.abort())
    await page.reload({ waitUntil: 'networkidle' })
    expect(await page.locator('understudy-dock').count()).toBe(0)
    const without = await looks()
    expect(closed).toEqual(without)
    expect(opened).toEqual(without)
  })

  test('while a modal dialog of the app makes it inert, the shortcut opens the panel in a tab', async () => {
    const page = await open(served)
    await toggle(page).waitFor()
    await page.evaluate(() => document.body.appendChild(document.createElement('dialog')).showModal())
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Alt+Shift+KeyU')])
    await tab.getByRole('tab', { name: 'Handlers' }).click()
    expect(await dock(page).count()).toBe(0)
    await page.evaluate(() => document.querySelector('dialog')?.close())
    await page.keyboard.press('Alt+Shift+KeyU')
    await panel(page).getByRole('tab', { name: 'Handlers' }).click()
  })

  test('it is above the elements of the app, whatever their z-index is', async () => {
    const page = await open(served)
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
    const page = await open(served)
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
    const page = await open(served)
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
})

describe('without a setting', () => {
  const served = serve(true)

  test('a browser that a tool controls shows no button', async () => {
    const page = await open(served)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('understudy-dock').count()).toBe(0)
  })

  test('a browser that a person controls shows the button, only in the top window', async () => {
    const visit = await openByHand(served)
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
  const served = serve({ dock: false })

  test('no page shows a button, and the panel opens in a tab', async () => {
    const visit = await openByHand(served)
    await visit.page.waitForLoadState('networkidle')
    expect(await visit.page.locator('understudy-dock').count()).toBe(0)
    expect(await visit.page.evaluate(() => fetch('/__understudy/panel.js').then((response) => response.status))).toBe(
      200,
    )
  })
})

describe('under a policy that forbids frames, styles and text as scripts', () => {
  const served = serve(
    { dock: true, shortcut: 'Ctrl+Shift+Y' },
    "default-src 'none'; img-src data:; script-src 'self'; connect-src 'self' ws:; worker-src 'self'; style-src 'self'; frame-src 'none'; require-trusted-types-for 'script'",
  )

  test('the button works, and the dock says what to add', async () => {
    const { page, errors, console: lines } = await served.openApp()
    await toggle(page).click()
    await page.getByText("Add frame-src 'self', or open it in a tab.").waitFor()
    expect(errors).toEqual([])
    const refused = lines.filter((line) => /Content Security Policy|Trusted/.test(line) && !/fram/i.test(line))
    expect(refused).toEqual([])
  })

  test('the shortcut of the settings opens it, and the default one does not', async () => {
    const page = await open(served)
    await toggle(page).waitFor()
    expect(await toggle(page).getAttribute('title')).toBe('Understudy (Ctrl+Shift+Y)')
    await page.keyboard.press('Alt+Shift+KeyU')
    expect(await toggle(page).isVisible()).toBe(true)
    await page.keyboard.press('Control+Shift+KeyY')
    await dock(page).waitFor()
    expect(await toggle(page).isHidden()).toBe(true)
  })
})

import type { Locator, Page } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Visit } from './browser.ts'
import type { BuildTool } from './build-tool.ts'
import { serveApp } from './serve-app.ts'

const handlers = `import { http, HttpResponse, passthrough } from '@understudy/engine'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
  http.get('/api/hang', () => new Promise(() => {})),
  http.get('/api/broken', () => {
    throw new TypeError('No such user')
  }),
  http.get('/api/real', () => passthrough()),
  http.all('/api/status/:status', ({ params }) =>
    params.status === 'none' ? HttpResponse.error() : new HttpResponse(null, { status: Number(params.status) }),
  ),
]
`

const main = `window.ask = async (path, init) => (await fetch(path, init)).status
`

/** Tests the looks of the panel's rows: their edges, shapes and colors. */
export function testPanelLooks(tool: BuildTool): void {
  describe(`${tool.name}, the looks of the panel`, () => {
    const served = serveApp(tool, { 'src/mocks/handlers.js': handlers, 'src/main.js': main })
    let app: Visit
    let panel: Page

    beforeEach(async () => {
      app = await served.openApp()
      await ask('/api/user')
      panel = await served.openPanel(app)
      await tab('Requests').click()
      await options(/\/api\/user/)
        .first()
        .waitFor()
    })

    const ask = (path: string): Promise<number> => app.page.evaluate<number>(`ask('${path}')`)
    const tab = (name: string): Locator => panel.getByRole('tab', { name })
    const options = (name: RegExp): Locator =>
      panel.getByRole('listbox', { name: 'Requests' }).getByRole('option', { name })

    test.each(['light', 'dark'] as const)(
      'methods and statuses differ in shape, and are readable: %s',
      async (colorScheme) => {
        await panel.emulateMedia({ colorScheme })
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
          await app.page.evaluate(`ask('/api/status/200', { method: '${method}' })`)
        }
        for (const status of ['304', '404', '503', 'none']) {
          await app.page.evaluate(`ask('/api/status/${status}').catch(() => {})`)
        }
        await ask('/api/real')
        await options(/\/api\/real/).click()
        const looks = (selector: string): Promise<string[]> =>
          panel.locator(`.us-window ${selector}`).evaluateAll((elements) => [
            ...new Set(
              elements.map((element) => {
                const { borderColor, backgroundColor } = getComputedStyle(element)
                const { clipPath, borderTopWidth, borderTopLeftRadius } = getComputedStyle(element, '::before')
                return `${borderColor} ${backgroundColor} ${clipPath} ${borderTopWidth} ${borderTopLeftRadius}`
              }),
            ),
          ])
        // Methods that read, create, change and delete data.
        await expect.poll(async () => (await looks('.us-method')).length).toBe(4)
        // 2xx, 3xx, 4xx, 5xx, a network error and the network.
        const shapes = async (): Promise<number> =>
          new Set((await looks('.us-status')).map((look) => look.slice(look.indexOf(')', look.indexOf('rgba')) + 1)))
            .size
        await expect.poll(shapes).toBe(6)
        const readContrasts = (): Promise<number[]> =>
          panel.locator('.us-method, .us-status, .us-badge').evaluateAll((elements) => {
            const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
            const context = canvas.getContext('2d') as CanvasRenderingContext2D
            const luminance = (...colors: readonly string[]): number => {
              for (const color of colors) {
                context.fillStyle = color
                context.fillRect(0, 0, 1, 1)
              }
              const [red = 0, green = 0, blue = 0] = Array.from(context.getImageData(0, 0, 1, 1).data, (value) => {
                const part = value / 255
                return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
              })
              return 0.2126 * red + 0.7152 * green + 0.0722 * blue
            }
            return elements.map((element) => {
              const backgrounds: string[] = []
              for (let up: Element | null = element; up; up = up.parentElement) {
                backgrounds.unshift(getComputedStyle(up).backgroundColor)
              }
              const background = luminance('white', ...backgrounds)
              const text = luminance('white', ...backgrounds, getComputedStyle(element).color)
              return (Math.max(background, text) + 0.05) / (Math.min(background, text) + 0.05)
            })
          })
        // The background of the selected row is another one.
        for (const row of [/\/api\/real/, /^200.*POST/, /^200.*PUT/, /^200.*DELETE/]) {
          await options(row).click()
          await panel
            .locator('[role=option][aria-selected=true]', { hasText: row.source.split('.*')[1] ?? '' })
            .waitFor()
          const contrasts = await readContrasts()
          expect(contrasts.length).toBeGreaterThan(20)
          expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5)
        }
      },
    )

    test('statuses and times are aligned in the list of handlers, whatever the outcome was', async () => {
      void app.page.evaluate('void ask("/api/hang")')
      for (const path of ['/api/real', '/api/broken', '/api/status/204']) await ask(path)
      await ask('/api/status/none').catch(() => {})
      await tab('Handlers').click()
      for (const status of ['200', /^network \d+$/, 'pending', '500', 'failed']) {
        await panel.locator('.us-handler-last').getByText(status, { exact: true }).waitFor()
      }
      const edges = await panel.locator('.us-handler-last:not(:empty)').evaluateAll((cells) =>
        cells.map((cell) => {
          const [status, time] = [...cell.children].map((child) => child.getBoundingClientRect())
          return { status: status?.left, time: time?.right, isApart: (status?.right ?? 0) < (time?.left ?? 0) }
        }),
      )
      expect(edges).toHaveLength(5)
      expect(new Set(edges.map((edge) => JSON.stringify(edge))).size).toBe(1)
      expect(edges[0]?.isApart).toBe(true)
    })

    test('in forced colors, the selected row has the colors of a selection', async () => {
      await panel.emulateMedia({ forcedColors: 'active' })
      await options(/\/api\/user/)
        .first()
        .click()
      const colors = await panel.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('i'))
        Object.assign(probe.style, { forcedColorAdjust: 'none', color: 'HighlightText', backgroundColor: 'Highlight' })
        const read = (element: Element): string[] => {
          const { color, backgroundColor } = getComputedStyle(element)
          return [color, backgroundColor]
        }
        const row = document.querySelector('[role=option][aria-selected=true]') as Element
        const url = row.querySelector('.us-request-url') as Element
        return { expected: read(probe), row: read(row), text: getComputedStyle(url).color }
      })
      expect(colors.row).toEqual(colors.expected)
      expect(colors.text).toBe(colors.expected[0])
    })

    test('in a narrow panel, the details cover the list, which keeps the focus and its place', async () => {
      await app.page.evaluate("Promise.all(Array.from({ length: 60 }, (_, n) => ask('/api/status/200?' + n)))")
      await panel.setViewportSize({ width: 360, height: 500 })
      const list = panel.getByRole('listbox', { name: 'Requests' })
      await options(/200\?59/).waitFor()
      await list.evaluate((element) => (element.scrollTop = 560))
      const details = panel.getByRole('region', { name: /^GET/ })
      const readFocus = (): Promise<string> => panel.evaluate(() => document.activeElement?.textContent ?? '')
      await options(/200\?35/).click()
      await details.getByText(/200\?35/).waitFor()
      // The details are in front.
      expect(await details.getByRole('button', { name: 'Close the request' }).click({ trial: true })).toBe(undefined)
      expect(await readFocus()).toMatch(/200\?35/)
      await panel.keyboard.press('ArrowDown')
      await details.getByText(/200\?34/).waitFor()
      const bar = details.locator('.us-detail-bar')
      expect(await bar.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
      await panel.keyboard.press('Escape')
      await details.waitFor({ state: 'detached' })
      expect(await readFocus()).toMatch(/200\?34/)
      expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBe(560)
    })

    // A desktop window of 1280 px at a zoom of 400 %.
    test('in a low window, the panel scrolls and the list has rows', async () => {
      await panel.setViewportSize({ width: 320, height: 256 })
      const row = options(/\/api\/user/).first()
      await row.scrollIntoViewIfNeeded()
      const rowBox = await row.boundingBox()
      const listBox = await panel.getByRole('listbox', { name: 'Requests' }).boundingBox()
      expect((listBox?.height ?? 0) / (rowBox?.height ?? 0)).toBeGreaterThan(3)
      expect((rowBox?.y ?? 0) + (rowBox?.height ?? 0)).toBeLessThanOrEqual(256)
      await row.click()
      await panel.getByRole('region', { name: /^GET/ }).getByText('Answered by a handler').waitFor()
    })
  })
}

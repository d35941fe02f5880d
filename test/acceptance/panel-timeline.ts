import type { Locator, Page } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Visit } from './browser.ts'
import type { BuildTool } from './build-tool.ts'
import { serveApp } from './serve-app.ts'

const handlers = `import { http, HttpResponse } from '@understudy/engine'

globalThis.waiting = Promise.withResolvers()
export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
  http.get('/api/slow', async () => {
    await globalThis.waiting.promise
    return HttpResponse.json({})
  }),
]
`

/** The timeline in the details of a request: its phases, while they run and afterwards. */
export function testPanelTimeline(tool: BuildTool): void {
  describe(`${tool.name}, the timeline of the panel`, () => {
    const served = serveApp(tool, {
      'src/mocks/handlers.js': handlers,
      'src/main.js': 'window.ask = async (path) => (await fetch(path)).text()\n',
    })
    let app: Visit
    let panel: Page

    beforeEach(async () => {
      app = await served.openApp()
      await app.page.evaluate('ask("/api/user")')
      panel = await served.openPanel(app)
      await panel.getByRole('switch', { name: 'GET /api/user' }).waitFor()
    })

    async function openRequest(path: string): Promise<Locator> {
      await panel.getByRole('tab', { name: 'Requests' }).click()
      await panel
        .getByRole('option', { name: new RegExp(path) })
        .first()
        .click()
      return panel.getByRole('region', { name: new RegExp(`${path}$`) })
    }

    interface Bar {
      readonly phase: string
      readonly isRunning: boolean
      /** The bounds relative to the track: from 0 to 1. */
      readonly start: number
      readonly end: number
    }

    const readBars = (detail: Locator): Promise<Bar[]> =>
      detail.locator('.us-phase').evaluateAll((bars) =>
        bars.map((bar) => {
          const track = bar.parentElement?.getBoundingClientRect() ?? new DOMRect()
          const { left, right } = bar.getBoundingClientRect()
          const { phase = '', running } = (bar as HTMLElement).dataset
          const toShare = (x: number): number => (x - track.left) / track.width
          return { phase, isRunning: running !== undefined, start: toShare(left), end: toShare(right) }
        }),
      )

    test('the resolver of a pending request runs, and ends with the response', async () => {
      await app.page.evaluate('void ask("/api/slow")')
      const detail = await openRequest('/api/slow')
      await detail.getByText(/^matched after .*, pending for /).waitFor()
      await expect
        .poll(async () => (await readBars(detail)).map(({ phase, isRunning }) => [phase, isRunning]))
        .toEqual([
          ['Match', false],
          ['Resolver', true],
        ])
      // The scale grows with the time.
      await expect.poll(async () => (await readBars(detail))[0]?.end ?? 1).toBeLessThan(0.1)
      expect((await readBars(detail))[1]?.end).toBeCloseTo(1)
      await app.page.evaluate('waiting.resolve()')
      await detail.getByText(/^matched after .*, answered after /).waitFor()
      expect((await readBars(detail)).map(({ isRunning }) => isRunning)).toEqual([false, false])
    })

    test('a forced delay has a bar between that of the match and that of the resolver', async () => {
      await panel.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
      await panel.getByRole('slider', { name: 'Delay of GET /api/user' }).press('ArrowRight')
      await panel.getByText('1 handler overridden').waitFor()
      await app.page.evaluate('ask("/api/user")')
      const detail = await openRequest('/api/user')
      await detail.locator('.us-phase[data-phase=Delay]').waitFor()
      const bars = await readBars(detail)
      expect(bars.map(({ phase }) => phase)).toEqual(['Match', 'Delay', 'Resolver'])
      const [, delay] = bars
      expect((delay?.end ?? 0) - (delay?.start ?? 0)).toBeGreaterThan(0.5)
    })

    test('a request that no handler matches has a bar of the network', async () => {
      await app.page.evaluate('ask("/api/unknown")')
      const detail = await openRequest('/api/unknown')
      await detail.getByText(/^sent after .*, network answered after /).waitFor()
      const bars = await readBars(detail)
      expect(bars.map(({ phase, isRunning }) => [phase, isRunning])).toEqual([
        ['Match', false],
        ['Network', false],
      ])
      expect(bars[1]?.end).toBeCloseTo(1)
      // Screen readers read the sentence.
      expect(await detail.locator('.us-timeline').getAttribute('aria-hidden')).toBe('true')
    })
  })
}

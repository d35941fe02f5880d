import axe from 'axe-core'
import type { Locator, Page } from 'playwright'
import { afterEach, describe, expect, test } from 'vitest'

import type { Visit } from './browser.ts'
import type { BuildTool, Extent } from './build-tool.ts'
import { savingUntil } from './project.ts'
import { serveApp } from './serve-app.ts'

const handlersFile = 'src/mocks/handlers.js'
const handlers = `import { http, HttpResponse } from '@understudy/engine'

const answer = (path, text) => http.get(path, () => HttpResponse.json({ text }))

export const handlers = [answer('/api/handlers', 'handlers'), answer('/api/plays', 'plays')]
export const scenarios = {
  empty: [answer('/api/handlers', 'empty')],
  busy: [answer('/api/handlers', 'busy'), answer('/api/plays', 'busy plays')],
  nothing: [],
}
`

/** Switches scenarios in the panel, on a real dev server. */
export function testPanelScenarios(tool: BuildTool, extent: Extent = 'all'): void {
  describe(`${tool.name}, scenarios in the panel`, () => {
    const served = serveApp(tool, { [handlersFile]: handlers })
    let app: Visit

    afterEach(async () => {
      const { errors } = app
      await app.close()
      const escaped = [...served.backend.requests]
      served.backend.forget()
      expect({ errors, escaped }).toEqual({ errors: [], escaped: [] })
    })

    const openApp = async (query = ''): Promise<void> => {
      app = await served.openApp(`/${query}`)
      await app.page.evaluate('first')
    }

    async function openPanel(hash = ''): Promise<Page> {
      const page = await served.openPanel(app, hash)
      await scenario(page, 'empty').waitFor()
      return page
    }

    const scenario = (panel: Page, name: string): Locator =>
      panel.getByRole('group', { name: 'Scenarios' }).getByRole('button', { name, exact: true })
    const pressed = (panel: Page): Promise<string[]> =>
      panel.getByRole('group', { name: 'Scenarios' }).locator('[aria-pressed=true]').allTextContents()
    const first = (): Promise<unknown> => app.page.evaluate('first')
    const ask = (path: string): Promise<unknown> => app.page.evaluate(`ask('/api/${path}')`)
    const queryOf = (page: Page): string => new URL(page.url()).search
    const hashOf = (page: Page): string => new URL(page.url()).hash

    test('a toggle activates a scenario, and both addresses have its name', async () => {
      await openApp('?q=a%20b#here')
      const panel = await openPanel()
      expect(await pressed(panel)).toEqual([])
      await scenario(panel, 'empty').click()
      await expect.poll(() => pressed(panel)).toEqual(['empty'])
      expect(await ask('handlers')).toBe('empty')
      expect(await ask('plays')).toBe('plays')
      expect(new URL(app.page.url()).href).toBe(`${served.server.origin}/?q=a%20b&understudy=empty#here`)
      await expect.poll(() => hashOf(panel)).toBe('#scenario=empty')
      // The handlers of the scenario have their own section.
      await panel.getByRole('region', { name: 'Scenario: empty' }).waitFor()

      await scenario(panel, 'empty').click()
      await expect.poll(() => pressed(panel)).toEqual([])
      expect(await ask('handlers')).toBe('handlers')
      expect(queryOf(app.page)).toBe('?q=a%20b')
      await expect.poll(() => hashOf(panel)).toBe('')
    })

    test('an edit adds a toggle', async () => {
      await openApp()
      const panel = await openPanel()
      const more = handlers.replace('  nothing:', '  another: [],\n  nothing:')
      await savingUntil(served.project, handlersFile, more, () => scenario(panel, 'another').count()).toBe(1)
      await savingUntil(served.project, handlersFile, handlers, () => scenario(panel, 'another').count()).toBe(0)
      expect(await pressed(panel)).toEqual([])
    })

    // What follows is code of the panel, which is the same with each build tool.
    if (extent === 'main') return

    test('two scenarios are combined, also with one that has no handlers', async () => {
      await openApp()
      const panel = await openPanel()
      await scenario(panel, 'nothing').click()
      await expect.poll(() => pressed(panel)).toEqual(['nothing'])
      await scenario(panel, 'empty').click()
      await expect.poll(() => pressed(panel)).toEqual(['empty', 'nothing'])
      await scenario(panel, 'busy').click()
      await expect.poll(() => pressed(panel)).toEqual(['empty', 'busy', 'nothing'])
      expect([await ask('handlers'), await ask('plays')]).toEqual(['empty', 'busy plays'])
      expect(queryOf(app.page)).toBe('?understudy=nothing,empty,busy')
    })

    test('after a reload of the app, the scenario is active from the first request on', async () => {
      await openApp()
      const panel = await openPanel()
      await scenario(panel, 'empty').click()
      await expect.poll(() => pressed(panel)).toEqual(['empty'])
      await app.page.reload()
      expect(await first()).toBe('empty')
      await expect.poll(() => pressed(panel)).toEqual(['empty'])
    })

    test('the panel shows the scenario of the app’s address', async () => {
      await openApp('?understudy=busy')
      const panel = await openPanel('#scenario=empty')
      await expect.poll(() => pressed(panel)).toEqual(['busy'])
      await expect.poll(() => hashOf(panel)).toBe('#scenario=busy')
      expect(await ask('handlers')).toBe('busy')
    })

    test('the panel’s address activates a scenario and overrides in a page without a scenario', async () => {
      await openApp()
      const forced = new URLSearchParams({ 'initial GET /api/plays': '503', scenario: 'empty' })
      const panel = await openPanel(`#${forced}`)
      await expect.poll(() => pressed(panel)).toEqual(['empty'])
      expect(await ask('handlers')).toBe('empty')
      await panel.getByText('1 handler overridden').waitFor()
      await panel.getByRole('button', { name: 'Reset all' }).click()
      await expect.poll(() => hashOf(panel)).toBe('#scenario=empty')
    })

    test('the panel says that the scenario of its address does not exist', async () => {
      await openApp()
      const panel = await openPanel('#scenario=emtpy')
      const message = 'Failed to activate the scenario "emtpy": src/mocks/handlers.js has no scenario of this name.'
      await panel.getByRole('alert').filter({ hasText: message }).waitFor()
      expect(await pressed(panel)).toEqual([])
      expect(await ask('handlers')).toBe('handlers')
    })

    test('axe finds nothing, at any width', async () => {
      await openApp('?understudy=empty')
      const panel = await openPanel()
      for (const width of [400, 1200]) {
        await panel.setViewportSize({ width, height: 700 })
        await expect.poll(() => pressed(panel)).toEqual(['empty'])
        const violations = await panel.evaluate(
          `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id }) => id))`,
        )
        expect(violations).toEqual([])
      }
    })
  })
}

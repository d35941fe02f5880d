import type { ScenarioControl } from '@understudy/engine/scenarios'
import { afterEach, describe, expect, test } from 'vitest'

import type { BuildTool, Extent } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { savingUntil } from './project.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestPage, TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'
const handlers = `import { http, HttpResponse } from '@understudy/engine'

const answer = (path, text) => http.get(path, () => HttpResponse.json({ text }))

export const handlers = [answer('/api/handlers', 'handlers'), answer('/api/plays', 'plays')]
export const scenarios = {
  empty: [answer('/api/handlers', 'empty')],
  busy: [answer('/api/handlers', 'busy'), answer('/api/plays', 'busy plays'), answer('/api/only', 'only here')],
}
`

/** Tests switching scenarios by the URL of the app and by `window.understudy`. */
export function testScenarios(tool: BuildTool, driver: BrowserDriver = chromium, extent: Extent = 'all'): void {
  describe(`${tool.name} in ${driver.name}, with scenarios`, () => {
    let visit: TestVisit
    let page: TestPage

    const served = serveProject(tool, {
      launch: () => driver.launch(),
      files: { [handlersFile]: handlers },
      options: { plugin: { expose: true, quiet: true } },
    })

    afterEach(async () => {
      await visit.close()
      const escaped = [...served.backend.requests]
      served.backend.forget()
      expect(escaped).toEqual([])
    })

    async function open(query: string, script?: () => void): Promise<void> {
      visit = await served.browser.openVisit()
      page = visit.page
      if (script !== undefined) await page.addInitScript(script)
      await page.goto(`${served.server.origin}/${query}`)
    }

    /** Returns the answer to the request that the page makes when it loads, or `held` if the request is held. */
    const first = (): Promise<unknown> =>
      page.evaluate("Promise.race([first, new Promise((end) => setTimeout(end, 100, 'held'))])")
    const ask = (path: string): Promise<unknown> => page.evaluate(`ask('/api/${path}')`)
    /** Returns the message of the error, if there is one. */
    const activate = (name: string): Promise<unknown> =>
      page.evaluate(
        `(() => { try { return String(understudy.scenario('${name}')) } catch ({ message }) { return message } })()`,
      )
    const consoleText = (): string => visit.console.join('\n')

    test('the scenario of the address answers from the first request on', async () => {
      await open('?page=2&understudy=empty')
      await expect.poll(first).toBe('empty')
      expect(await ask('plays')).toBe('plays')
      expect(consoleText()).toContain('[understudy] Active scenario: empty.')
    })

    test('an edit applies to the active scenario, and the page stays', async () => {
      await open('?understudy=busy')
      await expect.poll(first).toBe('busy')
      await page.evaluate("globalThis.marker = 'this page'")
      await savingUntil(served.project, handlersFile, handlers.replace("'busy'", "'edited'"), () =>
        ask('handlers'),
      ).toBe('edited')
      expect(await ask('plays')).toBe('busy plays')
      await savingUntil(served.project, handlersFile, handlers, () => ask('handlers')).toBe('busy')
      expect(await page.evaluate('globalThis.marker')).toBe('this page')
    })

    test('an unknown name is an error that lists the names, and requests are held until an edit adds the scenario', async () => {
      await open('?understudy=emtpy')
      const message =
        'Failed to activate the scenario "emtpy": src/mocks/handlers.js has no scenario of this name. ' +
        'Did you mean "empty"? The scenarios are: "empty", "busy".'
      await expect.poll(() => tool.readOverlay(page)).toContain(message)
      expect(consoleText()).toContain(message)
      expect(await first()).toBe('held')
      const fixed = handlers.replace('  busy:', "  emtpy: [answer('/api/handlers', 'fixed')],\n  busy:")
      await savingUntil(served.project, handlersFile, fixed, first).toBe('fixed')
      await savingUntil(served.project, handlersFile, handlers, () => ask('plays')).toBe('plays')
    })

    // What follows is code of the engine, which is the same with each build tool.
    if (extent === 'main') return

    test('without a name in the address, no scenario is active', async () => {
      await open('')
      await expect.poll(first).toBe('handlers')
      expect(consoleText()).not.toContain('scenario')
    })

    test('two scenarios are combined, and the first one has precedence', async () => {
      await open('?understudy=empty,%20busy')
      await expect.poll(first).toBe('empty')
      expect(await ask('plays')).toBe('busy plays')
      expect(consoleText()).toContain('Active scenarios: empty, busy.')
    })

    test('an edit that removes the active scenario is an error, and the previous handlers keep answering', async () => {
      await open('?understudy=busy')
      await expect.poll(first).toBe('busy')
      const without = handlers.replace('  busy:', '  idle:')
      await savingUntil(served.project, handlersFile, without, () => tool.readOverlay(page)).toContain(
        'Failed to activate the scenario "busy": src/mocks/handlers.js has no scenario of this name.',
      )
      expect(await ask('handlers')).toBe('busy')
      await savingUntil(served.project, handlersFile, handlers, () => tool.readOverlay(page)).toBe(undefined)
      expect(await ask('only')).toBe('only here')
    })

    test('window.understudy switches the scenario of the open page', async () => {
      await open('?understudy=empty')
      await expect.poll(first).toBe('empty')
      await page.evaluate("understudy.scenario('busy')")
      // The worker did not have a route for this path.
      expect(await ask('only')).toBe('only here')
      expect(await ask('handlers')).toBe('busy')
      await page.evaluate('understudy.scenario()')
      expect(await ask('handlers')).toBe('handlers')
      expect(await activate('emtpy')).toMatch(/Did you mean "empty"\?/)
      expect(await ask('handlers')).toBe('handlers')
    })

    test('window.understudy without scenarios says that there are none', async () => {
      await open('')
      await expect.poll(first).toBe('handlers')
      // Wait for the edit: a scenario that is activated before it would be missing afterwards.
      const without = handlers.replace('const scenarios', 'const others').replaceAll("'handlers')", "'others')")
      await savingUntil(served.project, handlersFile, without, () => ask('handlers')).toBe('others')
      expect(await activate('empty')).toContain('src/mocks/handlers.js exports no scenarios')
      await savingUntil(served.project, handlersFile, handlers, () => ask('handlers')).toBe('handlers')
      expect(await activate('empty')).toBe('undefined')
      expect(await ask('handlers')).toBe('empty')
    })

    test('window.understudy replaces the scenario of the address before the first request', async () => {
      await open('?understudy=empty', () =>
        addEventListener('understudy:exposed', () =>
          (globalThis as unknown as { understudy: ScenarioControl }).understudy.scenario('busy'),
        ),
      )
      await expect.poll(first).toBe('busy')
    })
  })
}

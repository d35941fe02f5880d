import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { backendAnswer } from './counting-backend.ts'
import { choosing, part, row, typing } from './panel-parts.ts'
import { serveProject } from './serve-project.ts'
import { waitUntil, type BrowserDriver, type TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'

const files = {
  [handlersFile]: `import { http, HttpResponse } from '@understudy/engine'

const user = { name: 'Ada' }

export const handlers = [
  http.get('/api/user', () => HttpResponse.json(user)),
]
`,
  'src/main.js': `globalThis.ask = async (path) => {
  const response = await fetch(path)
  return [response.status, await response.text()]
}
`,
}

const fromBackend = JSON.stringify(backendAnswer)
const fromHandler = '{"name":"Ada"}'

/** Tests saving from the panel into the handlers file, with the dev server of each tool. */
export function testPanelSaving(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, saving from the panel`, () => {
    let app: TestVisit
    let panel: TestVisit

    const served = serveProject(tool, { launch: () => driver.launch(), files })

    beforeEach(async () => {
      app = await served.browser.openVisit()
      await app.page.goto(served.server.origin)
      expect(await ask('/api/user')).toEqual([200, fromHandler])
      // A reload would remove it.
      await app.page.evaluate('globalThis.isSamePage = true')
      panel = await app.profile.openPage()
      await panel.page.goto(`${served.server.origin}/__understudy/`)
      await expect.poll(() => textOf(row('GET /api/user'))).toContain('1 hit')
    })

    afterEach(async () => {
      const errors = [...app.errors, ...panel.errors]
      const isSamePage = await app.page.evaluate<boolean>('isSamePage')
      await app.close()
      served.backend.forget()
      expect({ errors, isSamePage, file: await served.project.read(handlersFile) }).toEqual({
        errors: [],
        isSamePage: true,
        file: files[handlersFile],
      })
    })

    const textOf = (expression: string): Promise<string> =>
      panel.page.evaluate<string>(`${expression}?.textContent ?? ''`)

    const ask = (path: string): Promise<[status: number, text: string]> => app.page.evaluate(`ask('${path}')`)

    test('an unhandled request is saved as a handler, and removed', async () => {
      expect(await ask('/api/users/7')).toEqual([200, fromBackend])
      // The response is logged after the decision.
      await panel.click(part('tab', { text: 'Requests' }))
      await panel.click(part('option', { text: '/api/users/7' }))
      await waitUntil(panel.page, 'document.querySelector("section[aria-label=Response]")')
      await panel.click(part('tab', { text: 'Unhandled' }))
      await panel.click(part('button', { name: 'Save as handler: GET /api/users/7' }))
      await expect
        .poll(() => textOf("document.querySelector('dialog pre')"))
        .toMatch(/\n export const handlers = \[\n\+ {2}http\.get\('\/api\/users\/7'/)
      expect(await served.project.read(handlersFile)).toBe(files[handlersFile])

      await panel.click(part('button', { name: 'Save' }))
      await waitUntil(panel.page, part('button', { name: 'Undo: remove GET /api/users/7' }))
      const code = `  http.get('/api/users/7', () => HttpResponse.json({ from: 'the backend' })),\n`
      expect(await served.project.read(handlersFile)).toBe(files[handlersFile].replace('[\n', `[\n${code}`))
      await panel.click(part('tab', { text: 'Handlers' }))
      await waitUntil(panel.page, row('GET /api/users/7'))
      const { length } = served.backend.requests
      expect(await ask('/api/users/7')).toEqual([200, fromBackend])
      expect(served.backend.requests).toHaveLength(length)

      await panel.click(part('button', { name: 'Undo: remove GET /api/users/7' }))
      await waitUntil(panel.page, `!${row('GET /api/users/7')}`)
      expect(await ask('/api/users/7')).toEqual([200, fromBackend])
      expect(served.backend.requests).toHaveLength(length + 1)
    })

    test('recorded responses are saved as handlers, and removed', async () => {
      await panel.click(part('tab', { text: 'Requests' }))
      await panel.click(part('switch', { name: 'Record' }))
      await waitUntil(panel.page, "document.body.innerText.includes('Recording unmatched requests')")
      for (const path of ['/api/plays', '/api/authors']) expect(await ask(path)).toEqual([200, fromBackend])
      await panel.click(part('button', { name: 'Review 2 responses' }))
      await panel.click(part('button', { text: 'Save as handlers' }))
      await expect.poll(() => textOf("document.querySelector('dialog pre')")).toContain("+  http.get('/api/plays'")
      await panel.click(part('button', { name: 'Save' }))
      await waitUntil(panel.page, part('button', { name: 'Undo: remove 2 handlers' }))
      await panel.click(part('switch', { name: 'Record' }))
      await panel.click(part('tab', { text: 'Handlers' }))
      await waitUntil(panel.page, row('GET /api/authors'))
      served.backend.forget()
      for (const path of ['/api/plays', '/api/authors']) expect(await ask(path)).toEqual([200, fromBackend])
      expect(served.backend.requests).toEqual([])
      await panel.click(part('button', { name: 'Undo: remove 2 handlers' }))
      await waitUntil(panel.page, `!${row('GET /api/authors')}`)
    })

    test('overrides are saved as a scenario, which answers instead of them, and is removed', async () => {
      // The body of a response is kept while a panel is open.
      expect(await ask('/api/user')).toEqual([200, fromHandler])
      await panel.click(part('button', { name: 'Force an answer of GET /api/user' }))
      const answers = part('combobox', { name: 'Forced answer of GET /api/user' })
      await waitUntil(panel.page, answers)
      expect(await panel.page.evaluate<boolean>(`!!${part('button', { text: 'Save as scenario' })}`)).toBe(false)
      await panel.page.evaluate(choosing(answers, '503 Service Unavailable'))
      await panel.click(part('button', { name: 'Save as scenario…' }))
      const name = `document.querySelector('dialog input')`
      await waitUntil(panel.page, name)
      await panel.page.evaluate(typing(name, 'down'))
      await expect
        .poll(() => textOf("document.querySelector('dialog pre')"))
        .toContain(
          `+export const scenarios = {\n+  down: [\n+    http.get('/api/user', () => HttpResponse.json({ name: 'Ada' }, { status: 503 })),\n+  ],\n+}`,
        )
      expect(await served.project.read(handlersFile)).toBe(files[handlersFile])
      await panel.click(part('button', { name: 'Save' }))
      // The hot update brings the scenario.
      const use = part('button', { name: 'Use it instead of the overrides' })
      await waitUntil(panel.page, `${use}?.disabled === false`)
      await panel.click(use)
      await waitUntil(panel.page, `${part('button', { name: 'down' })}?.ariaPressed === 'true'`)
      await waitUntil(panel.page, "!document.body.innerText.includes('overridden')")
      expect(await ask('/api/user')).toEqual([503, fromHandler])
      expect(await app.page.evaluate('location.search')).toBe('?understudy=down')

      await panel.click(part('button', { name: 'down' }))
      await waitUntil(panel.page, `${part('button', { name: 'down' })}?.ariaPressed === 'false'`)
      expect(await ask('/api/user')).toEqual([200, fromHandler])
      await panel.click(part('button', { name: 'Undo: remove the scenario down' }))
      await waitUntil(panel.page, `!${part('button', { name: 'down' })}`)
      expect(await ask('/api/user')).toEqual([200, fromHandler])
    })
  })
}

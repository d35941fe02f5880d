import type { Locator, Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { findAccessibilityProblems } from './accessibility.ts'
import type { Visit } from './browser.ts'
import type { BuildTool } from './build-tool.ts'
import { serveApp } from './serve-app.ts'

const handlers = `import { http, HttpResponse } from '@understudy/engine'

let users = [{ name: 'Ada' }]
const records = new Map()

export const state = {
  users: {
    read: () => users,
    write(value) {
      if (!Array.isArray(value)) throw new TypeError('Users are a list')
      users = value
    },
    reset: () => {
      users = [{ name: 'Ada' }]
    },
  },
  records: { read: () => records },
}

export const handlers = [
  http.get('/api/users', () => HttpResponse.json(users)),
  http.post('/api/users', async ({ request }) => {
    users = [...users, await request.json()]
    return HttpResponse.json(users, { status: 201 })
  }),
]
`

/** Tests the state that a handlers module exports: shown in the panel, edited, reset, and kept up to date. */
export function testPanelState(tool: BuildTool): void {
  describe(`${tool.name}, the state in the panel`, () => {
    const served = serveApp(tool, {
      'src/mocks/handlers.js': handlers,
      'src/main.js': 'window.ask = async (path, init) => (await fetch(path, init)).json()\n',
    })
    let app: Visit
    let panel: Page

    beforeEach(async () => {
      app = await served.openApp()
      await ask('/api/users')
      panel = await served.openPanel(app)
      await panel.getByRole('tab', { name: 'State 2' }).click()
      await users.getByText('"Ada"').waitFor()
    })

    afterEach(() => expect(app.errors).toEqual([]))

    const part = (name: string): Locator =>
      panel
        .getByRole('list', { name: 'State' })
        .getByRole('listitem')
        .filter({ has: panel.getByRole('heading', { name }) })
    const users = { getByText: (text: string) => part('users').getByText(text) }

    function ask(path: string, init?: RequestInit): Promise<unknown> {
      return app.page.evaluate(
        ([to, options]) =>
          (globalThis as unknown as { ask: (...args: unknown[]) => Promise<unknown> }).ask(to, options),
        [path, init] as const,
      )
    }

    test('an edit applies to the next request, and a reset restores the state', async () => {
      await panel.getByRole('button', { name: 'Edit users' }).click()
      const editor = panel.getByRole('textbox', { name: 'JSON of users' })
      await editor.fill('[{"name":"Grace"')
      await part('users')
        .getByText(/^Not valid JSON/)
        .waitFor()
      expect(await panel.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true)
      await editor.fill('[{"name":"Grace"}]')
      await panel.getByRole('button', { name: 'Apply' }).click()
      await editor.waitFor({ state: 'detached' })
      expect(await ask('/api/users')).toEqual([{ name: 'Grace' }])
      await panel.getByRole('button', { name: 'Reset users' }).click()
      await users.getByText('"Ada"').waitFor()
      expect(await ask('/api/users')).toEqual([{ name: 'Ada' }])
    })

    test('a request that changes the state changes the view', async () => {
      await ask('/api/users', { method: 'POST', body: '{"name":"Grace"}' })
      await users.getByText('"Grace"').waitFor()
      await users.getByText('2 items').waitFor()
    })

    test('an error of write() is shown, and the text stays', async () => {
      await panel.getByRole('button', { name: 'Edit users' }).click()
      const editor = panel.getByRole('textbox', { name: 'JSON of users' })
      await editor.fill('{}')
      await panel.getByRole('button', { name: 'Apply' }).click()
      await part('users').getByRole('alert').getByText('Users are a list').waitFor()
      expect(await editor.inputValue()).toBe('{}')
      expect(await ask('/api/users')).toEqual([{ name: 'Ada' }])
    })

    test('a request during an edit does not change the text, and the panel mentions it', async () => {
      await panel.getByRole('button', { name: 'Edit users' }).click()
      const editor = panel.getByRole('textbox', { name: 'JSON of users' })
      await editor.fill('[]')
      await ask('/api/users', { method: 'POST', body: '{"name":"Grace"}' })
      await part('users').getByText('The state has changed since you opened the editor. Apply replaces it.').waitFor()
      expect(await editor.inputValue()).toBe('[]')
    })

    test('the text of an edit survives a reload of the app, and another tab of the panel', async () => {
      await panel.getByRole('button', { name: 'Edit users' }).click()
      const editor = panel.getByRole('textbox', { name: 'JSON of users' })
      await editor.fill('[{"name":"Grace"}]')
      await app.page.reload()
      await ask('/api/users')
      await panel.getByRole('tab', { name: 'Requests' }).click()
      await panel
        .getByRole('option', { name: /\/api\/users/ })
        .first()
        .waitFor()
      await panel.getByRole('tab', { name: 'State 2' }).click()
      expect(await editor.inputValue()).toBe('[{"name":"Grace"}]')
      await panel.getByRole('button', { name: 'Apply' }).click()
      await users.getByText('"Grace"').waitFor()
      expect(await ask('/api/users')).toEqual([{ name: 'Grace' }])
    })

    test('a part that is not JSON says what to return', async () => {
      await part('records')
        .getByRole('alert')
        .getByText(/it contains a Map.*\(US0886\)/)
        .waitFor()
      expect(await part('records').getByRole('button').allTextContents()).toEqual(['Refresh'])
    })

    test.each(['light', 'dark'] as const)(
      'axe finds no problem, and no element is too wide: %s',
      async (colorScheme) => {
        await panel.emulateMedia({ colorScheme })
        await panel.getByRole('button', { name: 'Edit users' }).click()
        for (const width of [1000, 400]) {
          await panel.setViewportSize({ width, height: 600 })
          expect(await findAccessibilityProblems(panel)).toEqual([])
        }
      },
    )
  })
}

import { beforeEach, describe, expect, test } from 'vitest'

import type { Manager } from './open-manager.ts'

const file = 'src/mocks/handlers.ts'

/** Tests that the panel saves handlers in the handlers file of the project, and who may do so. */
export function testSaving(manager: Manager): void {
  const { show, panel, tab, ask, rowOf } = manager
  const button = (name: string | RegExp): ReturnType<ReturnType<typeof panel>['getByRole']> =>
    panel().getByRole('button', { name })
  const dialog = (): ReturnType<ReturnType<typeof panel>['getByRole']> => panel().getByRole('dialog')

  describe('saving handlers', () => {
    beforeEach(async () => {
      await show('layers--bodies')
      await rowOf('GET /api/picture').waitFor()
    })

    test('an unhandled request is saved in the handlers file, answers without a reload, and is undone', async () => {
      const before = await manager.project.read(file)
      await tab('Unhandled').click()
      await manager
        .frame()
        .locator('body')
        .evaluate(() => Object.assign(window, { isSame: true }))
      const isSame = (): Promise<unknown> =>
        manager
          .frame()
          .locator('body')
          .evaluate(() => (window as { isSame?: boolean }).isSame)
      const read = (): Promise<string> =>
        manager
          .frame()
          .locator('body')
          .evaluate(async () => (await fetch('/api/moorings')).text())
      expect(await read()).not.toBe('{}')
      await button('Save as handler: GET /api/moorings').click()
      const diff = dialog().getByRole('group', { name: `Changes in ${file}` })
      await expect
        .poll(() => diff.textContent())
        .toContain("+  http.get('/api/moorings', () => HttpResponse.json({})),")
      expect(await manager.project.read(file)).toBe(before)
      await dialog().getByRole('button', { name: 'Save', exact: true }).click()
      await button('Undo: remove GET /api/moorings').waitFor()
      await expect.poll(read).toBe('{}')
      expect(await isSame()).toBe(true)
      await button('Undo: remove GET /api/moorings').click()
      await expect.poll(() => manager.project.read(file)).toBe(before)
      await expect.poll(read).not.toBe('{}')
    })

    test('a handler of a story is not replaced, and a note says that it comes first', async () => {
      await ask('/api/picture')
      await tab('Requests').click()
      await panel()
        .getByRole('option', { name: /\/api\/picture/ })
        .click()
      await button('Save as handler').click()
      await dialog().getByText('Another handler answered. It comes before the handlers of this file.').waitFor()
      expect(await dialog().getByRole('combobox', { name: 'Change' }).count()).toBe(0)
      await dialog().getByRole('button', { name: 'Cancel' }).click()
    })

    test('only pages of this origin get the token, and only requests with the token are answered', async () => {
      const { origin } = new URL(manager.visit.page.url())
      const token = `${origin}/__understudy/token`
      const read = (headers: Record<string, string>): Promise<number> =>
        fetch(token, { headers }).then(({ status }) => status)
      expect(await read({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200)
      expect(await read({ Origin: 'https://evil.example' })).toBe(403)
      expect(await read({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
      const same = await fetch(token)
      expect(same.headers.get('access-control-allow-origin')).toBeNull()
      const known = ((await same.json()) as { token: string }).token
      const save = (headers: Record<string, string>): Promise<number> =>
        fetch(`${origin}/__understudy/save`, { method: 'POST', body: '{}', headers }).then(({ status }) => status)
      expect(await save({ Origin: origin })).toBe(403)
      expect(await save({ Origin: 'https://evil.example', 'X-Understudy-Token': known })).toBe(403)
      expect(await save({ Origin: origin, 'X-Understudy-Token': known })).toBe(400)
      // There is no page for other sites to show in a frame.
      expect((await fetch(`${origin}/__understudy/panel.js`)).headers.get('content-type') ?? '').not.toContain(
        'javascript',
      )
    })
  })
}

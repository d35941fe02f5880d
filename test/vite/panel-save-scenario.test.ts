/** Saves overrides as a scenario from the panel: the dialog, the keyboard, and files that cannot be edited. */
import type { Locator, Page } from 'playwright'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { findAccessibilityProblems } from '../acceptance/accessibility.ts'
import type { Visit } from '../acceptance/browser.ts'
import { savingUntil } from '../acceptance/project.ts'
import { serveApp } from '../acceptance/serve-app.ts'
import { vite } from './vite.ts'

const handlersFile = 'src/mocks/handlers.js'
const handlers = `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/users/me', () => HttpResponse.json({ id: 'me' })),
  http.get('/api/users/:id', ({ params }) => HttpResponse.json({ id: params.id, token: 'abc' })),
  http.post('/api/payments', () => HttpResponse.json({ id: 1 }, { status: 201 })),
]

export const scenarios = {
  empty: [], // Nothing.
}
`

const served = serveApp(vite, {
  [handlersFile]: handlers,
  'src/main.js': `window.ask = async (path, init) => {
  const response = await fetch(path, init).catch(() => undefined)
  return response ? [response.status, await response.text()] : 'failed'
}
window.first = window.ask('/api/users/7')
`,
})
let app: Visit
let panel: Page

beforeEach(async () => {
  app = await served.openApp()
  await app.page.evaluate('first')
  panel = await served.openPanel(app)
  await panel.getByRole('switch', { name: 'GET /api/users/:id', exact: true }).waitFor()
})

afterEach(async () => {
  expect(app.errors).toEqual([])
  await app.close()
  await served.project.write(handlersFile, handlers)
})

const ask = (path: string, method = 'GET'): Promise<unknown> =>
  app.page.evaluate(`ask('${path}', { method: '${method}' })`)
const button = (name: string): Locator => panel.getByRole('button', { name, exact: true })
const open = (): Locator => button('Save as scenario…')
const dialog = (): Locator => panel.getByRole('dialog', { name: 'Save overrides as scenario' })
const nameField = (): Locator => dialog().getByRole('textbox', { name: 'Name' })
const save = (): Locator => dialog().getByRole('button', { name: 'Save', exact: true })
const diff = (): Promise<string | null> =>
  dialog()
    .getByRole('group', { name: `Changes in ${handlersFile}` })
    .textContent()

async function force(header: string, answer: string): Promise<void> {
  const toggle = button(`Force an answer of ${header}`)
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click()
  await panel.getByRole('combobox', { name: `Forced answer of ${header}` }).selectOption(answer)
}

test('only overrides can be saved, and the dialog works with the keyboard and returns the focus', async () => {
  await ask('/api/users/7')
  await button('empty').waitFor()
  expect(await open().count()).toBe(0)
  await panel.getByRole('switch', { name: 'POST /api/payments' }).click()
  await panel.getByText('1 handler overridden').waitFor()
  expect(await open().count()).toBe(0)

  await force('GET /api/users/:id', '404 Not Found')
  await open().focus()
  await panel.keyboard.press('Enter')
  await dialog().getByText('POST /api/payments is switched off. A scenario cannot switch off a handler.').waitFor()
  await dialog().getByText('GET /api/users/:id comes first, and also answers requests for GET /api/users/me.').waitFor()
  expect(await nameField().evaluate((each) => each === document.activeElement)).toBe(true)
  await panel.keyboard.type('not found, ')
  await dialog().getByRole('alert').filter({ hasText: 'contains no comma' }).waitFor()
  expect(await save().isEnabled()).toBe(false)
  await nameField().fill('not found')
  await expect.poll(diff).toContain("'not found': [")
  await dialog().getByText('GET /api/users/:id: Redacted: token.').waitFor()

  for (const media of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { forcedColors: 'active' }] as const) {
    await panel.emulateMedia({ forcedColors: 'none', ...media })
    for (const width of [400, 1280]) {
      await panel.setViewportSize({ width, height: 800 })
      const seen = await findAccessibilityProblems(panel)
      expect({ media, width, seen }).toEqual({ media, width, seen: [] })
    }
  }
  await panel.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  expect(await open().evaluate((each) => each === document.activeElement)).toBe(true)
  expect(await served.project.read(handlersFile)).toBe(handlers)
})

test('several overrides become one scenario, which is used instead of them, replaced, and removed', async () => {
  await ask('/api/users/7')
  await force('GET /api/users/:id', '503 Service Unavailable')
  await force('POST /api/payments', 'Network error')
  await open().click()
  await nameField().fill('outage')
  await expect.poll(diff).toContain('outage')
  // The form is sent by Enter.
  await expect.poll(() => save().isEnabled()).toBe(true)
  await nameField().press('Enter')
  await button('Undo: remove the scenario outage').waitFor()
  const added = `  empty: [], // Nothing.
  outage: [
    http.get('/api/users/:id', () => HttpResponse.json({ id: '7', token: 'redacted' }, { status: 503 })),
    http.post('/api/payments', () => HttpResponse.error()),
  ],
}`
  expect(await served.project.read(handlersFile)).toBe(handlers.replace('  empty: [], // Nothing.\n}', added))

  await button('Use it instead of the overrides').click()
  await panel.getByText('2 handlers overridden').waitFor({ state: 'detached' })
  await expect.poll(() => button('outage').getAttribute('aria-pressed')).toBe('true')
  expect(await ask('/api/users/7')).toEqual([503, '{"id":"7","token":"redacted"}'])
  expect(await ask('/api/payments', 'POST')).toBe('failed')
  await button('Dismiss').click()

  // A scenario with the same name is replaced, after the diff.
  await button('Force an answer of GET /api/users/:id').last().click()
  await panel.getByRole('slider', { name: 'Delay of GET /api/users/:id' }).press('ArrowRight')
  await open().click()
  await nameField().fill('outage')
  await dialog().getByText('The file has a scenario "outage": its handlers are replaced.').waitFor()
  expect(await diff()).toContain('-    http.post(')
  expect(await diff()).toContain('+      await delay(100)')
  await save().click()
  await button('Undo: restore the scenario outage').click()
  await expect.poll(() => served.project.read(handlersFile)).toContain(added)
})

test('an undo of the active scenario ends it first', async () => {
  await force('GET /api/users/me', '500 Internal Server Error')
  await open().click()
  await nameField().fill('__proto__')
  await dialog().getByText('GET /api/users/me answers without a body in the scenario').waitFor()
  await expect.poll(() => save().isEnabled()).toBe(true)
  await save().click()
  await button('Use it instead of the overrides').click()
  await expect.poll(() => button('__proto__').getAttribute('aria-pressed')).toBe('true')
  expect(await ask('/api/users/me')).toEqual([500, ''])
  await button('Undo: remove the scenario __proto__').click()
  await expect.poll(() => served.project.read(handlersFile)).toBe(handlers)
  await expect.poll(() => ask('/api/users/me')).toEqual([200, '{"id":"me"}'])
  expect(new URL(app.page.url()).search).toBe('')
})

test('a file that changes while the diff is shown gets a new diff, and one without an object the code to copy', async () => {
  await force('POST /api/payments', 'Network error')
  await open().click()
  await nameField().fill('down')
  await expect.poll(diff).toContain('down')
  await expect.poll(() => save().isEnabled()).toBe(true)
  await served.project.edit(handlersFile, '// Nothing.', '// Changed.')
  await save().click()
  await dialog().getByRole('alert').filter({ hasText: 'US0847' }).waitFor()
  await expect.poll(diff).toContain('// Changed.')
  await dialog().getByRole('button', { name: 'Cancel' }).click()

  const created = handlers.replace('= {\n  empty', '= Object.freeze({\n  empty').replace(/\}\n$/, '})\n')
  await savingUntil(served.project, handlersFile, created, () => button('empty').count()).toBe(1)
  await open().click()
  await nameField().fill('down')
  await dialog().getByRole('alert').filter({ hasText: 'US0867' }).waitFor()
  expect(await dialog().getByRole('group', { name: 'The scenario' }).textContent()).toContain('down: [')
  expect(await save().count()).toBe(0)
  await dialog().getByRole('button', { name: 'Copy the scenario' }).waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

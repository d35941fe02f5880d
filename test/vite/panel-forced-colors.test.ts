/** Every view of the panel in forced colors (high contrast): axe finds nothing, and states differ by more than a forced color. */
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'

import { findAccessibilityProblems } from '../acceptance/accessibility.ts'
import type { Visit } from '../acceptance/browser.ts'
import { serveApp } from '../acceptance/serve-app.ts'
import { vite } from './vite.ts'

const handlers = `import { delay, http, HttpResponse, ws } from '@understudy/engine'

const chat = ws.link('ws://localhost/chat')

export const state = { users: { read: () => [{ name: 'Ada' }], write() {}, reset() {} } }
export const scenarios = { empty: [], busy: [] }
export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
  http.get('/api/broken', () => {
    throw new Error('Broken.')
  }),
  http.get('/api/slow', async () => {
    await delay(600_000)
  }),
  chat.addEventListener('connection', ({ client }) => client.send('hello')),
]
`

const served = serveApp(vite, {
  'src/mocks/handlers.js': handlers,
  'src/main.js': `window.ask = async (path) => (await fetch(path)).status
window.connect = () => new Promise((resolve) => {
  window.socket = new WebSocket('ws://localhost/chat')
  window.socket.onmessage = resolve
})
`,
})
let app: Visit
let panel: Page

beforeAll(async () => {
  app = await served.openApp()
  await app.page.evaluate('ask("/api/user")')
  panel = await served.openPanel(app)
  await panel.getByRole('switch', { name: 'GET /api/user' }).waitFor()
  await app.page.evaluate(
    'void ask("/api/slow"); Promise.all([ask("/api/user"), ask("/api/broken"), ask("/api/users"), connect()])',
  )
})

const tab = (name: string): Promise<void> => panel.getByRole('tab', { name }).click()
const button = (name: string): Locator => panel.getByRole('button', { name, exact: true })
const option = (path: string): Locator => panel.getByRole('option', { name: new RegExp(`${path}(?![a-z])`) }).first()

/** The dark colors differ from the light ones only in what the rules about colors see. */
async function expectNothing(view: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await panel.emulateMedia({ forcedColors: 'active', colorScheme })
    const found = await findAccessibilityProblems(panel, colorScheme === 'dark' ? 'cat.color' : undefined)
    expect({ view, colorScheme, found }).toEqual({ view, colorScheme, found: [] })
  }
}

test('in every view, axe finds nothing', async () => {
  await tab('Handlers')
  await button('Force an answer of GET /api/user').click()
  await panel.getByRole('combobox', { name: /^Forced answer/ }).selectOption('503 Service Unavailable')
  await panel.getByRole('slider').press('ArrowRight')
  await panel.getByRole('switch', { name: 'GET /api/broken' }).click()
  await panel.getByText('2 handlers overridden').waitFor()
  await button('empty').click()
  await panel.getByText('Scenarios').waitFor()
  await expectNothing('handlers, with a pressed scenario and an open editor of overrides')
  await button('Edit response').click()
  await panel.getByRole('textbox', { name: 'Body' }).waitFor()
  await expectNothing('handlers, with an open editor of a response')
  await button('Save as scenario…').click()
  await panel.getByRole('textbox', { name: 'Name' }).fill('down')
  await panel.getByText(/^The dev server changes/).waitFor()
  await expectNothing('the dialog that saves a scenario')
  await panel.keyboard.press('Escape')

  await tab('Requests')
  for (const path of ['/api/user', '/api/broken', '/api/users', '/api/slow', '/chat']) {
    await option(path).click()
    await panel.getByRole('region', { name: new RegExp(`${path}$`) }).waitFor()
    await expectNothing(`the details of ${path}`)
  }
  await option('/api/user').click()
  await button('Edit response').click()
  await panel.getByRole('textbox', { name: 'Body' }).waitFor()
  await expectNothing('the details of a request, with an open editor')
  await panel.getByRole('switch', { name: 'Record' }).click()
  await panel.getByText('Recording unmatched requests').waitFor()
  await app.page.evaluate('ask("/api/plays")')
  await panel.getByRole('button', { name: /^Review / }).click()
  await panel.getByRole('dialog').getByRole('checkbox').first().waitFor()
  await expectNothing('the review of recorded responses')
  await panel.keyboard.press('Escape')

  const search = panel.getByRole('searchbox', { name: 'Filter requests' })
  await search.fill('Ada')
  await panel.locator('.us-mark').first().waitFor()
  await expectNothing('requests that a search found')
  // axe does not see that the text of a mark is as dark as its background.
  const colors = await panel.evaluate(() => {
    const read = (element: Element | null): string[] => {
      const { color, backgroundColor } = getComputedStyle(element ?? document.body)
      return [color, backgroundColor]
    }
    const probe = document.body.appendChild(document.createElement('i'))
    Object.assign(probe.style, { forcedColorAdjust: 'none', color: 'MarkText', backgroundColor: 'Mark' })
    return { mark: read(document.querySelector('.us-mark')), expected: read(probe) }
  })
  expect(colors.mark).toEqual(colors.expected)
  await search.fill('')

  await tab('Unhandled')
  await expectNothing('unhandled requests')
  await panel
    .getByRole('button', { name: /^Save as handler/ })
    .first()
    .click()
  await panel.getByText(/^The dev server changes/).waitFor()
  await expectNothing('the dialog that saves a handler')
  await panel.keyboard.press('Escape')
  await tab('State')
  await button('Edit users').click()
  await expectNothing('the state, with an open editor')
})

test('bars, switches and pressed buttons are visible', async () => {
  await tab('Requests')
  await option('/api/slow').click()
  const bar = panel.locator('.us-phase[data-phase=Resolver]')
  await bar.waitFor()
  const colors = await panel.evaluate(() => {
    const read = (selector: string, name: string): string =>
      getComputedStyle(document.querySelector(selector) ?? document.body).getPropertyValue(name)
    return {
      page: read('.us-panel', 'background-color'),
      bar: read('.us-phase[data-phase=Resolver]', 'background-color'),
      pressed: read('.us-button[aria-pressed=true]', 'background-color'),
      unpressed: read('.us-button[aria-pressed=false]', 'background-color'),
    }
  })
  expect(colors.bar).not.toBe(colors.page)
  expect(colors.pressed).not.toBe(colors.unpressed)
})

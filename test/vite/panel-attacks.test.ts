/** Tests the panel under unusual conditions: several panels, a restarted dev server, hostile messages, and large or odd data. */
import type { Locator, Page } from 'playwright'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from '../acceptance/browser.ts'
import { serveProject } from '../acceptance/serve-project.ts'
import { vite } from './vite.ts'

const handlersFile = 'src/mocks/handlers.js'
const longPath = `/api/${'segment-'.repeat(62)}`
const handlers = `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
  http.get('${longPath}', () => HttpResponse.json({})),
  http.get('/api/odd', () => HttpResponse.text('{"__proto__":{"polluted":true},"constructor":1,"toString":null}', { headers: { 'content-type': 'application/json' } })),
  http.get('/api/text', () => HttpResponse.text('line of the log\\n'.repeat(650_000))),
  http.get('/api/binary', () => HttpResponse.arrayBuffer(new Uint8Array(10_000_000).fill(255), { headers: { 'content-type': 'application/octet-stream' } })),
]
`

let app: Visit
let panel: Page
const failures: string[] = []

const served = serveProject(vite, {
  launch: launchBrowser,
  files: {
    [handlersFile]: handlers,
    'src/main.js': `window.ask = async (path, init) => (await fetch(path, init)).text()\nwindow.first = window.ask('/api/user')\n`,
  },
  options: { plugin: { panel: { dock: true } } },
})

beforeEach(async () => {
  failures.length = 0
  app = await openVisit(served.browser)
  await app.page.goto(served.server.origin)
  await app.page.evaluate('first')
  panel = await openPanel()
})

afterEach(async () => {
  expect({ errors: app.errors, failures }).toEqual({ errors: [], failures: [] })
  await app.close()
})

async function openPanel(): Promise<Page> {
  const { page } = await openPage(app.context)
  page.on('pageerror', (error) => failures.push(String(error)))
  await page.goto(`${served.server.origin}/__understudy/`)
  await page.getByRole('switch', { name: 'GET /api/user' }).waitFor()
  return page
}

const ask = (path: string): Promise<string> => app.page.evaluate<string>(`ask('${path}')`)
const option = (name: RegExp): Locator => panel.getByRole('option', { name }).first()

test('two panels in tabs and one in the dock show the same, and the recording continues in the last one', async () => {
  const other = await openPanel()
  await app.page.getByRole('button', { name: 'Understudy', exact: true }).click()
  const dock = app.page.frameLocator('iframe[title="Understudy panel"]')
  await panel.getByRole('switch', { name: 'GET /api/user' }).click()
  for (const each of [panel, other, dock]) await each.getByText('1 handler overridden').waitFor()
  expect(await ask('/api/user')).toBe('{"from":"the backend"}')
  await dock.getByRole('button', { name: 'Reset all' }).click()
  for (const each of [panel, other, dock]) {
    await each.getByText('1 handler overridden').waitFor({ state: 'detached' })
  }
  await other.getByRole('tab', { name: 'Requests' }).click()
  await other.getByRole('combobox', { name: 'What to record' }).selectOption('all requests')
  await other.getByRole('switch', { name: 'Record' }).click()
  for (const each of [panel, other, dock]) await each.getByText('Recording all requests').waitFor()
  await other.close()
  await panel.close()
  // A closed dock only hides its panel.
  await app.page.getByRole('button', { name: 'Close Understudy' }).click()
  expect(await ask('/api/user')).toBe('{"from":"the backend"}')
  await app.page.getByRole('button', { name: 'Understudy', exact: true }).click()
  await dock.getByRole('button', { name: 'Reset all' }).click()
  await expect.poll(() => ask('/api/user')).toBe('{"name":"Ada"}')
})

test('an open panel saves handlers after the dev server was restarted', async () => {
  const readToken = (): Promise<string | null> => panel.locator('meta[name="understudy-token"]').getAttribute('content')
  const earlier = await readToken()
  await served.server.stop()
  served.server = await vite.start(served.project, { port: served.server.port })
  await app.page.goto(served.server.origin)
  await app.page.evaluate('first')
  await ask('/api/unknown')
  // The panel asks for the positions of the new page's handlers. The server refuses the token of the earlier run, and the panel
  // loads the page of this run.
  await expect.poll(readToken, { timeout: 60_000 }).not.toBe(earlier)
  await panel.getByRole('tab', { name: 'Unhandled' }).click()
  await panel.getByRole('button', { name: 'Save as handler: GET /api/unknown' }).click()
  const dialog = panel.getByRole('dialog')
  await dialog.getByText('The dev server changes').waitFor()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await panel.getByRole('button', { name: 'Undo: remove GET /api/unknown' }).click()
  await expect.poll(() => served.project.read(handlersFile)).toBe(handlers)
})

test('hostile messages change nothing', async () => {
  await panel.getByRole('tab', { name: 'Requests' }).click()
  const { page } = await openPage(app.context)
  await page.goto(`${served.server.origin}/__understudy/panel.js`)
  await page.evaluate(async () => {
    const channel = new BroadcastChannel('understudy:inspection')
    const networks = new Set<string>()
    channel.onmessage = ({ data }) => networks.add((data as { network?: string }).network ?? '')
    channel.postMessage({ understudy: 'panel', type: 'watch', panel: 'x', network: null, whole: true })
    while (networks.size === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    const network = [...networks][0]
    const command = (given: unknown): object => ({
      understudy: 'panel',
      type: 'command',
      network,
      call: 'c',
      command: given,
    })
    const messages: unknown[] = [
      null,
      'x'.repeat(1_000_000),
      new Uint8Array(1000),
      { understudy: 'panel' },
      { understudy: 'panel', type: '__proto__' },
      { understudy: 'panel', type: 'watch', panel: {}, network: [], whole: 1 },
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'stop'].map((name) => command({ name })),
      command({ name: 'override', id: 1, override: { status: 99 } }),
      command({ name: 'override', id: 'x', override: JSON.parse('{"__proto__":{"status":500}}') }),
      command({ name: 'scenario', names: ['__proto__', 'constructor'] }),
      command({ name: 'readState', key: '__proto__' }),
      command({ name: 'search', ids: Array.from({ length: 10_000 }, String), words: ['('.repeat(10_000)] }),
      { understudy: 'network', type: 'state', network, revision: -1, whole: true, requests: [{}], handlers: 'x' },
      {
        understudy: 'network',
        type: 'state',
        network: 'ghost',
        revision: 1,
        whole: true,
        requests: [null],
        handlers: [null],
      },
      { understudy: 'network', type: 'answer', network, call: 'c', error: {} },
    ]
    for (const message of messages) channel.postMessage(message)
  })
  expect(await ask('/api/user')).toBe('{"name":"Ada"}')
  await option(/\/api\/user/).waitFor()
  await panel.getByRole('tab', { name: 'Handlers 5' }).click()
  await expect
    .poll(() => panel.getByRole('switch', { name: 'GET /api/user' }).getAttribute('aria-checked'))
    .toBe('true')
  expect(await app.page.evaluate('({}).polluted === undefined && ({}).status === undefined')).toBe(true)
})

test('a path of 500 characters, names of Object.prototype, and bodies of 10 MB are shown', async () => {
  await ask(longPath)
  await ask('/api/odd')
  expect((await ask('/api/text')).length).toBe(10_400_000)
  await app.page.evaluate(`fetch('/api/binary').then((response) => response.arrayBuffer())`)
  await panel.getByRole('tab', { name: 'Requests' }).click()
  const response = panel.getByRole('region', { name: 'Response' })
  await option(/\/api\/odd/).click()
  for (const name of ['"__proto__"', '"polluted"', '"constructor"', '"toString"'])
    await response.getByText(name).waitFor()
  await option(/\/api\/text/).click()
  await response.getByText(/cut: the first \d+(?:\.\d)? MB/).waitFor()
  await option(/\/api\/binary/).click()
  await response
    .getByText(/application\/octet-stream/)
    .last()
    .waitFor()
  await panel.getByRole('searchbox', { name: 'Filter requests' }).fill('polluted')
  await option(/response body.*polluted/).waitFor()
  await panel.getByRole('searchbox', { name: 'Filter requests' }).fill('')
  for (const width of [1000, 400]) {
    await panel.setViewportSize({ width, height: 600 })
    for (const name of ['Handlers', 'Requests']) {
      await panel.getByRole('tab', { name }).click()
      expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
  }
})

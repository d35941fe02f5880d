/**
 * Records the pictures of docs/panel.md and of the README: the panel and a real app on a real dev server.
 *
 *     npm run record
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { BrowserContext, Page } from 'playwright'

import { launchBrowser } from '../acceptance/browser.ts'
import { createProject, repository } from '../acceptance/project.ts'
import { vite } from './vite.ts'

interface Picture {
  readonly name: string
  readonly size: { readonly width: number; readonly height: number }
  readonly dark?: boolean
  /** Called before the screenshot is taken. */
  readonly prepare: (panel: Page) => Promise<void>
  /** Called after the screenshot was taken. */
  readonly after?: (panel: Page) => Promise<void>
}

const wide = { width: 1000, height: 460 }
const tab = (panel: Page, name: string): Promise<void> => panel.getByRole('tab', { name }).click()

const narrow = { width: 400, height: 460 }
const low = { ...wide, height: 300 }
const closeDialog = (panel: Page): Promise<void> => panel.keyboard.press('Escape')
const cancelEdit = (panel: Page): Promise<void> => panel.getByRole('button', { name: 'Cancel' }).click()

async function editResponse(panel: Page): Promise<void> {
  await showRequest(panel)
  await panel.getByRole('button', { name: 'Edit response' }).click()
  await panel.getByRole('textbox', { name: 'Body' }).scrollIntoViewIfNeeded()
}

async function saveHandler(panel: Page): Promise<void> {
  await tab(panel, 'Unhandled')
  await panel
    .getByRole('button', { name: /^Save as handler/ })
    .first()
    .click()
  await panel.getByText(/^The dev server changes/).waitFor()
}

async function saveScenario(panel: Page): Promise<void> {
  await tab(panel, 'Handlers')
  await panel.getByRole('button', { name: 'Save as scenario…' }).click()
  await panel.getByRole('textbox', { name: 'Name' }).fill('outage')
  await panel.getByText(/^The dev server changes/).waitFor()
}

async function showRequest(panel: Page): Promise<void> {
  await listRequests(panel)
  await panel.getByRole('option', { name: /POST \/api\/bookings/ }).click()
  await panel.getByText('"seats"').first().waitFor()
}

async function showState(panel: Page): Promise<void> {
  await tab(panel, 'State')
  await panel.getByText('"the-seagull"').waitFor()
}

/** In a narrow panel, the details of a request cover the list. */
async function listRequests(panel: Page): Promise<void> {
  await tab(panel, 'Requests')
  const close = panel.getByRole('button', { name: 'Close the request' })
  if (await close.isVisible()) await close.click()
}

/** Creates an archive as a browser's developer tools save it. */
function createArchive(): string {
  const entries = [
    ['document', 'GET', '/', 200, 'text/html', '<!doctype html>'],
    ['fetch', 'GET', '/api/plays', 200, 'application/json', '[{"id":1,"title":"The Tempest"}]'],
    ['fetch', 'GET', '/api/plays/1', 200, 'application/json', '{"id":1,"title":"The Tempest"}'],
    ['fetch', 'POST', '/api/bookings', 201, 'application/json', '{"id":7}'],
    ['fetch', 'GET', '/api/plays/2', 404, 'application/json', '{"error":"Not found"}'],
    ['fetch', 'GET', '/api/plays/1/poster', 200, 'image/webp', 'AP8='],
    ['fetch', 'GET', '/api/season.zip', 200, 'application/zip', undefined],
  ].map(([type, method, path, status, mimeType, text], second) => ({
    _resourceType: type,
    startedDateTime: new Date(2026, 0, 2, 10, 31, second).toISOString(),
    time: 20,
    request: { method, url: `https://theatre.example${path}`, headers: [] },
    response: {
      status,
      headers: [],
      content: {
        mimeType,
        text,
        ...(text === undefined && { size: 9_400_000 }),
        ...(text === 'AP8=' && { encoding: 'base64' }),
      },
    },
  }))
  return JSON.stringify({ log: { version: '1.2', entries } })
}

async function importArchive(panel: Page): Promise<void> {
  await tab(panel, 'Requests')
  await panel
    .getByLabel('HAR file')
    .setInputFiles({ name: 'theatre.har', mimeType: 'application/json', buffer: Buffer.from(createArchive()) })
  await panel.getByRole('checkbox', { name: /plays\/2/ }).uncheck()
}

const pictures: readonly Picture[] = [
  { name: 'panel-handlers', size: wide, prepare: (panel) => tab(panel, 'Handlers') },
  { name: 'panel-handlers-dark', size: wide, dark: true, prepare: (panel) => tab(panel, 'Handlers') },
  { name: 'panel-requests', size: wide, prepare: showRequest },
  { name: 'panel-requests-dark', size: wide, dark: true, prepare: showRequest },
  { name: 'panel-edit', size: wide, prepare: editResponse },
  { name: 'panel-edit-dark', size: wide, dark: true, prepare: async () => {}, after: cancelEdit },
  { name: 'panel-unhandled', size: low, prepare: (panel) => tab(panel, 'Unhandled') },
  { name: 'panel-unhandled-dark', size: low, dark: true, prepare: (panel) => tab(panel, 'Unhandled') },
  { name: 'panel-state', size: low, prepare: showState },
  { name: 'panel-state-dark', size: low, dark: true, prepare: showState },
  { name: 'panel-save', size: wide, prepare: saveHandler },
  { name: 'panel-save-dark', size: wide, dark: true, prepare: async () => {}, after: closeDialog },
  { name: 'panel-scenario', size: wide, prepare: saveScenario },
  { name: 'panel-scenario-dark', size: wide, dark: true, prepare: async () => {}, after: closeDialog },
  { name: 'panel-review', size: wide, prepare: importArchive },
  { name: 'panel-review-dark', size: wide, dark: true, prepare: async () => {}, after: closeDialog },
  { name: 'panel-narrow', size: narrow, prepare: (panel) => tab(panel, 'Handlers') },
  { name: 'panel-narrow-dark', size: narrow, dark: true, prepare: (panel) => tab(panel, 'Handlers') },
  { name: 'panel-narrow-requests', size: narrow, prepare: listRequests },
  { name: 'panel-narrow-requests-dark', size: narrow, dark: true, prepare: listRequests },
]

const handlersStart = 'export const handlers = ['
const moreHandlers = `import { sse, ws } from '@understudy/engine'

const stage = ws.link('wss://theatre.example/stage')

function findSeat(row: string): { price: number } {
  throw new TypeError(\`There is no row "\${row}"\`)
}

export const scenarios = {
  'sold out': [http.get('/api/plays', () => HttpResponse.json([]))],
  outage: [http.get('/api/plays', () => new HttpResponse(null, { status: 503 }))],
}

export const handlers = [
  sse('/api/ticker', ({ client }) => {
    client.send({ event: 'curtain', data: { play: 'The Seagull', isOpen: true } })
    client.send({ id: '2', event: 'sold', data: { seats: 2 } })
    client.send({ data: 'Doors open at 19:00' })
  }),
  stage.addEventListener('connection', ({ client }) => {
    client.send(JSON.stringify({ type: 'act', number: 2 }))
    client.addEventListener('message', () => client.send(JSON.stringify({ type: 'applause', seconds: 12 })))
  }),
  http.get('/api/seats/:row', ({ params }) => HttpResponse.json(findSeat(String(params['row'])))),
`

/** Runs in the app's page. */
async function useMoreHandlers(): Promise<void> {
  const socket = new WebSocket('wss://theatre.example/stage')
  await new Promise<void>((resolve) => {
    socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'curtain', isOpen: true })))
    socket.addEventListener('message', ({ data }) => {
      if (String(data).includes('applause')) resolve()
    })
  })
  await fetch('/api/seats/Z').catch(() => {})
  await new Promise((resolve) => {
    new EventSource('/api/ticker').addEventListener('message', resolve)
  })
}

async function showError(panel: Page): Promise<void> {
  await listRequests(panel)
  await panel.getByRole('option', { name: /seats\/Z/ }).click()
  await panel.getByRole('group', { name: 'Code that threw' }).scrollIntoViewIfNeeded()
}

async function showEvents(panel: Page): Promise<void> {
  await listRequests(panel)
  await panel.getByRole('option', { name: /ticker/ }).click()
  await panel.getByText('Doors open at 19:00').waitFor()
  await panel.getByRole('list', { name: 'Events' }).evaluate((list) => list.scrollIntoView({ block: 'end' }))
}

/** Activates a scenario, whose handlers come before the others. */
async function showScenarios(panel: Page): Promise<void> {
  await tab(panel, 'Handlers')
  const scenario = panel.getByRole('button', { name: 'sold out', exact: true })
  if ((await scenario.getAttribute('aria-pressed')) === 'false') await scenario.click()
  await panel.getByRole('region', { name: 'Scenario: sold out' }).waitFor()
}

/** Records responses. The recording ends with the picture. */
async function showRecording(panel: Page): Promise<void> {
  await listRequests(panel)
  await panel.getByRole('switch', { name: 'Record' }).click()
  await panel.getByText('Recording unmatched requests').waitFor()
  const [app] = panel.context().pages()
  await app?.evaluate(() => fetch('/api/unmatched'))
  await panel.getByText('recorded', { exact: true }).first().waitFor()
}

const endRecording = (panel: Page): Promise<void> => panel.getByRole('switch', { name: 'Record' }).click()

async function showConnection(panel: Page): Promise<void> {
  await listRequests(panel)
  await panel.getByRole('option', { name: /theatre\.example/ }).click()
  await panel.getByText('applause').first().waitFor()
}

const laterPictures: readonly Picture[] = [
  { name: 'panel-error', size: wide, prepare: showError },
  { name: 'panel-error-dark', size: wide, dark: true, prepare: showError },
  { name: 'panel-connection', size: wide, prepare: showConnection },
  { name: 'panel-connection-dark', size: wide, dark: true, prepare: showConnection },
  { name: 'panel-events', size: wide, prepare: showEvents },
  { name: 'panel-events-dark', size: wide, dark: true, prepare: showEvents },
  { name: 'panel-recording', size: low, prepare: showRecording, after: endRecording },
  { name: 'panel-recording-dark', size: low, dark: true, prepare: showRecording, after: endRecording },
  { name: 'panel-scenarios', size: low, prepare: showScenarios },
  { name: 'panel-scenarios-dark', size: low, dark: true, prepare: showScenarios },
]

const folder = join(repository, 'docs/images')
await mkdir(folder, { recursive: true })
const [browser, project] = await Promise.all([launchBrowser(), createProject('sandboxes/vite-react')])
const server = await vite.start(project)
try {
  const context = await browser.newContext()
  const app = await context.newPage()
  await app.goto(server.origin)
  const panel = await context.newPage()
  await panel.goto(`${server.origin}/__understudy/`)
  await panel.getByRole('switch').first().waitFor()
  await useApp(app)
  await force(panel)
  await record(panel, pictures)
  await recordPair(context, app, panel)
  await recordDock(context)
  // These handlers would also be in the other pictures.
  await project.edit('src/mocks/handlers.ts', handlersStart, moreHandlers)
  await panel.getByRole('tab', { name: 'Handlers 15' }).waitFor()
  await app.evaluate(useMoreHandlers)
  await record(panel, laterPictures)
} finally {
  await Promise.all([browser.close(), server.stop()])
  await project.dispose()
}

async function record(panel: Page, list: readonly Picture[]): Promise<void> {
  for (const { name, size, dark = false, prepare, after } of list) {
    await panel.setViewportSize(size)
    await panel.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
    await prepare(panel)
    await panel.mouse.move(size.width - 1, size.height - 1)
    await panel.screenshot({ path: join(folder, `${name}.png`) })
    await after?.(panel)
  }
}

/** Records the panel that the button in the app's page opens. */
async function recordDock(context: BrowserContext): Promise<void> {
  const app = await context.newPage()
  await app.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { get: () => false }))
  await app.setViewportSize({ width: 1100, height: 520 })
  await app.goto(server.origin)
  await useApp(app)
  await app.getByRole('button', { name: 'Understudy', exact: true }).click()
  await app.getByRole('button', { name: 'Dock to the right' }).click()
  const panel = app.frameLocator('iframe[title="Understudy panel"]')
  await panel.getByRole('tab', { name: 'Requests' }).click()
  await panel.getByRole('option', { name: /POST \/api\/bookings/ }).waitFor()
  await app.mouse.move(10, 510)
  await app.screenshot({ path: join(folder, 'panel-dock.png') })
  await app.emulateMedia({ colorScheme: 'dark' })
  await app.screenshot({ path: join(folder, 'panel-dock-dark.png') })
  await app.close()
}

/** Records the app and the panel side by side. No page may show the panel in a frame, so the picture combines two. */
async function recordPair(context: BrowserContext, app: Page, panel: Page): Promise<void> {
  await panel.emulateMedia({ colorScheme: 'light' })
  await app.setViewportSize({ width: 440, height: 520 })
  await panel.setViewportSize({ width: 660, height: 520 })
  await showRequest(panel)
  await panel.mouse.move(659, 519)
  const windows = await Promise.all(
    [app, panel].map(async (page) => {
      const image = (await page.screenshot()).toString('base64')
      const { host, pathname } = new URL(page.url())
      return `<figure><figcaption>${host}${pathname}</figcaption><img src="data:image/png;base64,${image}"></figure>`
    }),
  )
  const pair = await context.newPage()
  await pair.setViewportSize({ width: 1160, height: 600 })
  await pair.setContent(`<style>
    body { display: flex; align-items: flex-start; gap: 20px; margin: 0; padding: 20px; background: #e9ecf1; font: 13px system-ui, sans-serif; width: max-content; }
    figure { margin: 0; overflow: hidden; border-radius: 8px; background: #fff; box-shadow: 0 2px 10px #0003; }
    figcaption { padding: 8px 14px; background: #f6f7f9; color: #59626e; border-bottom: 1px solid #dde0e5; }
    img { display: block; }
  </style>${windows.join('')}`)
  await pair.locator('body').screenshot({ path: join(folder, 'panel-beside-app.png') })
  await pair.close()
}

async function useApp(app: Page): Promise<void> {
  await app.reload({ waitUntil: 'networkidle' })
  await app.evaluate(async () => {
    const booking = {
      playId: 'the-seagull',
      performanceId: 'seagull-1',
      seats: 2,
      name: 'Ada',
      email: 'ada@example.com',
    }
    const body = JSON.stringify(booking)
    await fetch('/api/bookings', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    for (const path of ['/api/play/7', '/api/season/2026', '/api/play/9']) await fetch(path).catch(() => {})
  })
}

async function force(panel: Page): Promise<void> {
  const buttons = panel.getByRole('button', { name: /^Force an answer of/ })
  await buttons.nth(1).click()
  await panel.getByRole('combobox', { name: /^Forced answer/ }).selectOption('503 Service Unavailable')
  await panel.getByRole('slider').press('PageUp')
  await panel.getByRole('switch').nth(3).click()
  await panel.getByText('2 handlers overridden').waitFor()
}

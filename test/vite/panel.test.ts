/** Tests the panel on a real dev server, with a real page of an app. */
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'

import type { Locator, Page } from 'playwright'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { findAccessibilityProblems } from '../acceptance/accessibility.ts'
import { launchBrowser, openPage, openVisit, type Visit } from '../acceptance/browser.ts'
import { backendAnswer } from '../acceptance/counting-backend.ts'
import { seenPlaces, watchPlaces } from '../acceptance/panel-parts.ts'
import { savingUntil } from '../acceptance/project.ts'
import { serveProject } from '../acceptance/serve-project.ts'
import { vite } from './vite.ts'

// The types change the line numbers: the browser's lines differ from the source's.
const handlers = `import { http, HttpResponse } from '@understudy/engine'

interface User {
  name: string
}

const ada: User = { name: 'Ada' }

export const handlers = [
  http.get('/api/user', () => HttpResponse.json(ada)),
  http.get('/api/plays/:id', ({ params }) => HttpResponse.json(params)),
  http.get('/api/plays/latest', () => HttpResponse.json({})),
  http.post('/api/login', async ({ request }) => HttpResponse.json(await request.json(), { status: 201 })),
]
`

const main = `window.ask = async (path, init) => {
  const response = await fetch(path, init)
  return [response.status, await response.text()]
}
// The first request of the page.
window.first = window.ask('/api/user')
`

let app: Visit
let panel: Page

const served = serveProject(vite, {
  launch: launchBrowser,
  files: {
    'src/mocks/handlers.ts': handlers,
    'src/main.js': main,
    editor: '#!/bin/sh\necho "$@" >> "$(dirname "$0")/opened"\n',
    opened: '',
  },
  serverOptions: (project) => ({ env: { LAUNCH_EDITOR: join(project.folder, 'editor') } }),
  async prepare(project) {
    await chmod(join(project.folder, 'editor'), 0o755)
  },
})

beforeEach(async () => {
  served.backend.forget()
  app = await openVisit(served.browser)
  await app.page.goto(served.server.origin)
  await ask('/api/user')
  panel = await openPanel()
})

afterEach(async () => {
  expect({ errors: app.errors, refusals }).toEqual({ errors: [], refusals: [] })
  await app.close()
})

const address = (): string => `${served.server.origin}/__understudy/`

/** Violations of the panel's own policy. */
const refusals: string[] = []
const isRefusal = (line: string): boolean => line.includes('Content Security Policy')

async function openPanel(hash = ''): Promise<Page> {
  const { page } = await openPage(app.context)
  page.on('console', (message) => refusals.push(...message.text().split('\n').filter(isRefusal)))
  page.on('pageerror', (error) => expect.fail(String(error)))
  await page.goto(address() + hash)
  return page
}

function ask(path: string, init?: RequestInit): Promise<[status: number, text: string]> {
  return app.page.evaluate(
    ([to, options]) =>
      (globalThis as unknown as { ask: (...args: unknown[]) => Promise<[number, string]> }).ask(to, options),
    [path, init] as const,
  )
}

const row = (header: string): Locator =>
  panel.getByRole('listitem').filter({ has: panel.getByRole('switch', { name: header, exact: true }) })
const options = (name?: RegExp): Locator =>
  panel.getByRole('listbox', { name: 'Requests' }).getByRole('option', name && { name })
const tab = (name: string): Locator => panel.getByRole('tab', { name })

test('the terminal shows its address next to Vite’s own', async () => {
  const { output } = served.server.process
  await expect.poll(() => served.server.process.output).toMatch(/➜ {2}Understudy: http:\/\/\S+:\d+\/__understudy\/\n/)
  expect(output.match(/Understudy: http/g)).toHaveLength(1)
})

test('the line in the console that says that mocking is on links to it', async () => {
  await expect
    .poll(() => app.console.find((line) => line.includes('Mocking is on')))
    .toMatch(new RegExp(`Mocking is on\\. Handlers: \\d+\\. Panel: ${address()}$`))
})

test('handlers are listed with their layer, source position, hits and last answer', async () => {
  await expect.poll(() => row('GET /api/user').textContent()).toMatch(/handlers\.ts:10.*200.*2 hits/)
  await ask('/api/user')
  await expect.poll(() => row('GET /api/user').textContent()).toContain('3 hits')
  expect(await row('POST /api/login').textContent()).toContain('never hit')
  expect(await row('GET /api/plays/latest').textContent()).toContain('Shadowed by GET /api/plays/:id')
  // Never the positions in the modules that Vite transformed, not even for a moment.
  await panel.addInitScript(watchPlaces)
  await panel.reload()
  await row('POST /api/login').getByText('handlers.ts:13').waitFor()
  expect(await panel.evaluate(seenPlaces)).toEqual(
    [10, 11, 12, 13].map((line) => `Open src/mocks/handlers.ts:${line} in the editor`),
  )
})

test('the requests of a disabled handler reach the network', async () => {
  await panel.getByRole('switch', { name: 'GET /api/user' }).click()
  await panel.getByText('1 handler overridden').waitFor()
  expect(await ask('/api/user')).toEqual([200, JSON.stringify(backendAnswer)])
  await panel.getByRole('button', { name: 'Reset all' }).click()
  await panel.getByText('1 handler overridden').waitFor({ state: 'detached' })
  expect(await ask('/api/user')).toEqual([200, '{"name":"Ada"}'])
})

test('an override has a status, a delay or a network error', async () => {
  await panel.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
  const answer = panel.getByRole('combobox', { name: 'Forced answer of GET /api/user' })
  await answer.selectOption('503 Service Unavailable')
  await row('GET /api/user').getByText('status 503', { exact: true }).waitFor()
  expect(await ask('/api/user')).toEqual([503, '{"name":"Ada"}'])
  await panel.getByRole('slider', { name: 'Delay of GET /api/user' }).press('ArrowRight')
  await row('GET /api/user').getByText('+100 ms').waitFor()
  await answer.selectOption('Network error')
  await row('GET /api/user').getByText('network error', { exact: true }).waitFor()
  await expect(ask('/api/user')).rejects.toThrow('Failed to fetch')
})

test('a link reproduces overrides, also after a reload of the app', async () => {
  await panel.getByRole('switch', { name: 'GET /api/user' }).click()
  await expect.poll(() => panel.url()).toBe(`${address()}#initial+GET+%2Fapi%2Fuser=off`)
  await app.page.reload()
  await panel.getByText('1 handler overridden').waitFor()
  expect(await ask('/api/user')).toEqual([200, JSON.stringify(backendAnswer)])

  await panel.close()
  await app.page.reload()
  expect(await ask('/api/user')).toEqual([200, '{"name":"Ada"}'])
  panel = await openPanel('#initial+GET+%2Fapi%2Fuser=418.delay-10')
  await row('GET /api/user').getByText('status 418').waitFor()
  expect(await ask('/api/user')).toEqual([418, '{"name":"Ada"}'])
})

test('a link reproduces an edited response in another profile, which has nothing else of this one', async () => {
  await panel.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
  await row('GET /api/user').getByRole('button', { name: 'Edit response' }).click()
  await panel.getByRole('textbox', { name: 'Body' }).fill('{"name":"Grace & <Kay>"}')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(async () => (await ask('/api/user'))[1]).toBe('{"name":"Grace & <Kay>"}')
  const other = await openVisit(served.browser)
  await other.page.goto(served.server.origin)
  const read = (): Promise<unknown> => other.page.evaluate(`ask('/api/user')`)
  expect(await read()).toEqual([200, '{"name":"Ada"}'])
  const { page } = await openPage(other.context)
  await page.goto(panel.url())
  await page.getByText('edited response').waitFor()
  await expect.poll(read).toEqual([200, '{"name":"Grace & <Kay>"}'])
  await other.close()
})

test('overrides apply to the first request after a reload, even if the panel connects late', async () => {
  await panel.getByRole('switch', { name: 'GET /api/user' }).click()
  await panel.getByText('1 handler overridden').waitFor()
  for (let round = 0; round < 5; round += 1) {
    await app.page.reload()
    expect(await app.page.evaluate('first')).toEqual([200, JSON.stringify(backendAnswer)])
  }

  await panel.getByRole('button', { name: 'Reset all' }).click()
  await panel.getByText('1 handler overridden').waitFor({ state: 'detached' })
  await app.page.reload()
  expect(await app.page.evaluate('first')).toEqual([200, '{"name":"Ada"}'])
})

test('overrides apply to every request during edits of handlers', async () => {
  await panel.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
  await panel.getByRole('combobox', { name: /^Forced answer/ }).selectOption('503 Service Unavailable')
  await row('GET /api/user').getByText('status 503', { exact: true }).waitFor()
  const seen = app.page.evaluate(async () => {
    const answers = new Set<string>()
    const { ask: get } = globalThis as unknown as { ask: (path: string) => Promise<[number, string]> }
    while (!answers.has('503 {"name":"Edit 5"}')) answers.add((await get('/api/user')).join(' '))
    return [...answers]
  })
  for (let edit = 1; edit <= 5; edit += 1) {
    const text = handlers.replace("'Ada'", `'Edit ${edit}'`)
    await savingUntil(served.project, 'src/mocks/handlers.ts', text, async () => (await ask('/api/user'))[1]).toContain(
      `Edit ${edit}`,
    )
  }
  expect(await seen).toEqual(
    ['Ada', 'Edit 1', 'Edit 2', 'Edit 3', 'Edit 4', 'Edit 5'].map((name) => `503 {"name":"${name}"}`),
  )
  await served.project.write('src/mocks/handlers.ts', handlers)
  await expect.poll(async () => (await ask('/api/user'))[1]).toBe('{"name":"Ada"}')
})

test('named groups of the handlers module are sections', async () => {
  const grouped = handlers
    .replace('export const handlers = [', 'export const handlers = { session: [')
    .replace("  http.get('/api/plays/:id'", "], plays: [\n  http.get('/api/plays/:id'")
    .replace(/\]\n$/, ']}\n')
  const sections = panel.getByRole('region')
  await savingUntil(served.project, 'src/mocks/handlers.ts', grouped, () => sections.count()).toBe(2)
  expect(await sections.evaluateAll((found) => found.map((section) => section.ariaLabel))).toEqual([
    'Handlers module: session',
    'Handlers module: plays',
  ])
  expect(await panel.getByRole('region', { name: 'Handlers module: session' }).getByRole('switch').count()).toBe(1)
  expect(await panel.getByRole('region', { name: 'Handlers module: plays' }).getByRole('switch').count()).toBe(3)
  await savingUntil(served.project, 'src/mocks/handlers.ts', handlers, () => sections.count()).toBe(1)
})

test('overrides stay after an edit of the handlers', async () => {
  await panel.getByRole('switch', { name: 'GET /api/user' }).click()
  await panel.getByText('1 handler overridden').waitFor()
  await served.project.edit('src/mocks/handlers.ts', "'Ada'", "'Grace'")
  await expect.poll(() => app.console.join('\n')).toContain('Handlers updated')
  await expect.poll(() => ask('/api/user')).toEqual([200, JSON.stringify(backendAnswer)])
  await panel.getByRole('button', { name: 'Reset all' }).click()
  await expect.poll(() => ask('/api/user')).toEqual([200, '{"name":"Grace"}'])
  await served.project.write('src/mocks/handlers.ts', handlers)
  await expect.poll(() => ask('/api/user')).toEqual([200, '{"name":"Ada"}'])
})

test('requests are logged, and shown with headers and bodies', async () => {
  await tab('Requests').click()
  const body = '{"user":"<img src=x onerror=alert(1)>"}'
  await ask('/api/login', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Asked': 'yes' }, body })
  await options(/^201 POST \/api\/login/).click()
  const detail = panel.getByRole('region', { name: /^POST .*\/api\/login$/ })
  await expect.poll(() => detail.getByText('"<img src=x onerror=alert(1)>"').count()).toBe(2)
  expect(await panel.locator('img').count()).toBe(0)
  const request = detail.getByRole('region', { name: 'Request' })
  await request.getByText('Headers').click()
  expect(await request.textContent()).toContain('x-askedyes')

  await ask('/api/plays/7')
  await panel.getByRole('searchbox', { name: 'Filter requests' }).fill('plays')
  await expect.poll(() => options().count()).toBe(1)
  await panel.getByRole('searchbox').fill('')
  await panel.getByRole('combobox', { name: 'Outcome' }).selectOption('Errors')
  await panel.getByText('No request matches the filter').waitFor()
})

test('the log has the last 500 of many requests, and renders only the visible ones', async () => {
  await tab('Requests').click()
  await app.page.evaluate(async () => {
    for (let index = 0; index < 520; index += 1) await fetch(`/api/plays/${index}`)
  })
  await panel.getByText('500 requests').waitFor()
  await expect.poll(() => options().first().textContent()).toContain('/api/plays/519')
  expect(await options().count()).toBeLessThan(80)
  await options().first().focus()
  await panel.keyboard.press('End')
  await expect.poll(() => panel.locator(':focus').textContent()).toContain('/api/plays/20')
  expect(await panel.locator(':focus').getAttribute('aria-posinset')).toBe('500')

  // The visible rows do not move when new ones are added.
  for (let page = 0; page < 3; page += 1) await panel.keyboard.press('PageUp')
  const seen = await panel.locator(':focus').textContent()
  const before = await panel.locator(':focus').boundingBox()
  const focused = panel.locator(':focus')
  const readPosition = async (): Promise<number> => Number(await focused.getAttribute('aria-posinset'))
  const position = await readPosition()
  await ask('/api/session')
  await expect.poll(readPosition).toBe(position + 1)
  expect(await focused.textContent()).toBe(seen)
  expect(Math.abs(((await focused.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(1)
})

test('new rows take the elements of rows that left, and the pointer opens the row on which it is pressed', async () => {
  const askAll = (from: number): Promise<unknown> =>
    app.page.evaluate(`Promise.all(Array.from({ length: 60 }, (_, index) => ask('/api/plays/' + (${from} + index))))`)
  await tab('Requests').click()
  await askAll(0)
  const first = options().first()
  await expect.poll(() => first.textContent()).toContain('/api/plays/59')
  const mark = (): Promise<number> =>
    panel.locator('[role=option]').evaluateAll((rows) => rows.map((each) => each.setAttribute('data-seen', '')).length)
  const count = await mark()
  await first.hover()
  await panel.mouse.down()
  await askAll(100)
  await expect.poll(() => first.textContent()).toContain('/api/plays/159')
  // Without the row that has the focus, because the focus would be on another request.
  expect(await panel.locator('[role=option][data-seen]').count()).toBe(count - 1)
  await panel.mouse.up()
  const details = (path: string): Locator => panel.getByRole('region', { name: new RegExp(`${path}$`) })
  await details('/api/plays/59').waitFor()
  // A screen reader clicks without a pointer.
  await options(/\/api\/plays\/159/).evaluate((each: HTMLElement) => each.click())
  await details('/api/plays/159').waitFor()
})

test('a row that has the focus does not become another one while another window is in front', async () => {
  const askAll = (from: number): Promise<unknown> =>
    app.page.evaluate(`Promise.all(Array.from({ length: 60 }, (_, index) => ask('/api/plays/' + (${from} + index))))`)
  await tab('Requests').click()
  await askAll(0)
  const first = options().first()
  await expect.poll(() => first.textContent()).toContain('/api/plays/59')
  await first.focus()
  const focused = await panel.locator(':focus').elementHandle()
  // The event of a window that goes to the background: the focus stays on its element.
  await focused?.evaluate((element: HTMLElement) =>
    element.dispatchEvent(new FocusEvent('focusout', { bubbles: true })),
  )
  await askAll(100)
  await expect.poll(() => first.textContent()).toContain('/api/plays/159')
  expect(await focused?.textContent()).toContain('/api/plays/59')
})

test('the open request is in sight again with the view, also if a search in bodies finds it later', async () => {
  await tab('Requests').click()
  await ask('/api/login', { method: 'POST', body: '{"play":"tempest"}' })
  await app.page.evaluate(`Promise.all(Array.from({ length: 60 }, (_, index) => ask('/api/plays/tempest-' + index)))`)
  await panel.getByRole('searchbox', { name: 'Filter requests' }).fill('tempest')
  await panel.getByText(/^61 of/).waitFor()
  await options().first().focus()
  await panel.keyboard.press('End')
  const login = options(/api\/login/)
  await panel.getByRole('region', { name: /^POST / }).waitFor()
  await tab('Handlers').click()
  await tab('Requests').click()
  await panel.getByText(/^61 of/).waitFor()
  await expect
    .poll(async () => {
      const [box, frame] = [await login.boundingBox(), await panel.getByRole('listbox').boundingBox()]
      return box && frame && box.y >= frame.y && box.y + box.height <= frame.y + frame.height + 1
    })
    .toBe(true)
})

test('unhandled requests show the nearest handlers, and copy a handler that would match', async () => {
  await app.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await ask('/api/users')
  await ask('/api/play/7')
  await tab('Unhandled').click()
  const unhandled = panel.getByRole('listitem').filter({ hasText: '/api/play/7' }).first()
  expect(await unhandled.textContent()).toContain('segment 2 differs: plays expected, play sent')
  await unhandled.getByRole('button', { name: 'Copy the handler' }).click()
  await unhandled.getByText('Copied').waitFor()
  expect(await panel.evaluate(() => navigator.clipboard.readText())).toBe(
    `http.get('/api/play/:id', () => HttpResponse.json({})),`,
  )
})

test('a click on a place opens the editor there', async () => {
  const button = row('GET /api/user').getByRole('button', { name: 'Open src/mocks/handlers.ts:10 in the editor' })
  await button.click()
  await expect
    .poll(() => served.project.read('opened'))
    .toBe(`${join(served.project.folder, 'src/mocks/handlers.ts')} 10 8\n`)
})

test('the keyboard reaches everything', async () => {
  await panel.getByRole('switch').first().waitFor()
  const focused = (): Promise<string> =>
    panel.evaluate(() => {
      const { activeElement: element } = document
      return `${element?.getAttribute('role') ?? element?.tagName} ${element?.ariaLabel ?? element?.textContent}`
    })
  const press = async (...keys: string[]): Promise<string> => {
    for (const key of keys) await panel.keyboard.press(key)
    return focused()
  }
  expect(await press('Tab')).toMatch(/^tab Handlers/)
  expect(await press('Tab', 'Tab')).toMatch(/^BUTTON /)
  expect(await press('ArrowDown')).toBe('switch GET /api/user')
  expect(await press('ArrowDown')).toBe('switch GET /api/plays/:id')
  expect(await press('End')).toBe('switch POST /api/login')
  expect(await press('Home', 'ArrowDown', 'Tab')).toMatch(/^BUTTON Open src\/mocks\/handlers\.ts:10/)
  expect(await press('Tab')).toBe('BUTTON Force an answer of GET /api/user')
  expect(await press('Enter', 'Tab')).toBe('SELECT Forced answer of GET /api/user')
  expect(await press('Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Space')).toBe('switch GET /api/user')
  await panel.getByText('1 handler overridden').waitFor()
  // All rows are one tab stop. Going back passes the filter and reaches the tabs.
  expect(await press('Shift+Tab', 'Shift+Tab')).toBe('BUTTON Reset all')
  expect(await press('Shift+Tab', 'ArrowRight')).toMatch(/^tab Requests/)
  await options().first().waitFor()
  expect(await press('Tab', 'Tab')).toBe('INPUT Filter requests')
  expect(await press('Tab', 'Tab', 'Tab', 'Tab')).toBe('switch Record')
  expect(await press('Tab', 'Tab', 'Tab')).toBe('BUTTON Import HAR')
  expect(await press('Tab')).toMatch(/^option 200GET\/api\/user/)
  await press('Enter')
  const details = panel.getByRole('region', { name: /\/api\/user/ })
  await details.waitFor()
  // Escape closes the details, from the list and from inside. The focus is on the row again.
  expect(await press('Escape')).toMatch(/^option 200GET\/api\/user/)
  await details.waitFor({ state: 'detached' })
  await press('Enter')
  await details.waitFor()
  expect(await press('Tab')).toBe('BUTTON Close the request')
  expect(await press('Escape')).toMatch(/^option 200GET\/api\/user/)
  await details.waitFor({ state: 'detached' })
})

test('a view is as it was left when the developer comes back to it, and a reload shows the same view', async () => {
  await ask('/api/users')
  await ask('/api/plais')
  await tab('Requests').click()
  await panel.getByRole('searchbox', { name: 'Filter requests' }).fill('api -plais')
  await options().first().click()
  const details = panel.getByRole('region', { name: /^GET / })
  await details.waitFor()
  await tab('Unhandled 2').click()
  await panel.getByRole('button', { name: 'Ignore GET /api/plais' }).click()
  await tab('Unhandled 1').waitFor()
  await tab('Handlers').click()
  await panel.getByRole('searchbox', { name: 'Filter handlers' }).fill('login')
  await tab('Requests').click()
  await details.waitFor()
  expect(await panel.getByRole('searchbox', { name: 'Filter requests' }).inputValue()).toBe('api -plais')
  await tab('Unhandled 1').click()
  await panel.getByRole('button', { name: 'Show ignored' }).waitFor()
  await tab('Handlers').click()
  expect(await panel.getByRole('searchbox', { name: 'Filter handlers' }).inputValue()).toBe('login')
  await tab('Unhandled').click()
  await panel.reload()
  await panel.getByRole('tab', { name: 'Unhandled', selected: true }).waitFor()
})

test('axe finds no problems', async () => {
  await row('GET /api/user').waitFor()
  await ask('/api/user')
  await ask('/api/users')
  await ask(`/api/${'long-'.repeat(400)}`)
  async function expectNothing(): Promise<void> {
    expect(await findAccessibilityProblems(panel)).toEqual([])
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await panel.emulateMedia({ colorScheme })
    await tab('Handlers').click()
    const force = panel.getByRole('button', { name: 'Force an answer of GET /api/user' })
    if ((await force.getAttribute('aria-expanded')) === 'false') await force.click()
    await panel.getByRole('combobox', { name: /Forced answer/ }).selectOption('500 Internal Server Error')
    await expectNothing()
    await tab('Requests').click()
    await options(/GET \/api\/user /)
      .first()
      .click()
    await panel.getByText('Ada').waitFor()
    await expectNothing()
    await tab('Unhandled').click()
    await expectNothing()
  }
})

test('no element is wider than a narrow window', async () => {
  await panel.setViewportSize({ width: 320, height: 600 })
  await ask(`/api/${'long'.repeat(40)}`)
  for (const name of ['Handlers', 'Requests', 'Unhandled']) {
    await tab(name).click()
    expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  }
})

test('one of several pages of the app can be chosen, and a message says if there is none', async () => {
  const other = await openPage(app.context)
  await other.page.goto(`${served.server.origin}/?second`)
  await other.page.evaluate(() => {
    document.title = 'Second'
  })
  await other.page.evaluate('ask("/api/plays/1")')
  const chooser = panel.getByRole('combobox', { name: 'Page of the app' })
  await chooser.waitFor()
  await expect.poll(() => row('GET /api/plays/:id').textContent()).toContain('1 hit')
  await chooser.selectOption({ index: 0 })
  await expect.poll(() => row('GET /api/plays/:id').textContent()).toContain('never hit')
  await other.page.close()
  await chooser.waitFor({ state: 'detached' })
  await app.page.goto('about:blank')
  await panel.getByText('No page of the app is open').waitFor()
  expect(await panel.getByRole('link', { name: 'Open the app' }).getAttribute('href')).toBe('/')
  await app.page.goto(served.server.origin)
  await row('GET /api/user').waitFor()
})

test('its requests to the dev server are never mocked', async () => {
  const everything = `import { http, HttpResponse } from '@understudy/engine'\nexport const handlers = [http.all('*', () => HttpResponse.json({ name: 'everything' }))]\n`
  await served.project.write('src/mocks/handlers.ts', everything)
  await expect.poll(() => ask('/api/other')).toEqual([200, '{"name":"everything"}'])
  await panel.reload()
  await row('ALL *').getByRole('button', { name: 'Open src/mocks/handlers.ts:2 in the editor' }).click()
  await expect.poll(() => served.project.read('opened')).toContain('handlers.ts 2 ')
  await served.project.write('src/mocks/handlers.ts', handlers)
  // That handler also answers the request of the hot update, so only a reloaded page gets the next handlers.
  await app.page.reload()
  expect(await ask('/api/user')).toEqual([200, '{"name":"Ada"}'])
})

test('another origin gets neither the page’s token nor a path of the disk', async () => {
  const places = { places: [{ file: `${served.server.origin}/src/mocks/handlers.ts`, line: 1, column: 1 }] }
  const token = await panel.locator('meta[name=understudy-token]').getAttribute('content')
  const url = address()
  // Another port of localhost: Vite allows it to read what it serves.
  const { page } = await openPage(app.context)
  await page.goto(`${served.backend.origin.replace('127.0.0.1', 'localhost')}/`)
  const seen = await page.evaluate(
    async ([to, body, stolen]) => {
      const headers = { 'Content-Type': 'application/json', 'X-Understudy-Token': stolen }
      const read = (path: string, init?: RequestInit): Promise<string> =>
        fetch(path, init).then(
          (response) => response.text(),
          (error: Error) => error.name,
        )
      return [await read(to), await read(`${to}locate`, { method: 'POST', headers, body })]
    },
    [url, JSON.stringify(places), token ?? ''] as const,
  )
  expect(seen).toEqual(['TypeError', 'TypeError'])

  const post = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${url}locate`, { method: 'POST', headers, body: JSON.stringify(places) })
  const origin = served.server.origin
  expect((await post({})).status).toBe(403)
  expect((await post({ origin })).status).toBe(403)
  expect((await post({ origin, 'x-understudy-token': 'x'.repeat(token?.length ?? 0) })).status).toBe(403)
  expect((await post({ origin: 'http://localhost:1', 'x-understudy-token': token ?? '' })).status).toBe(403)
  const answer = await post({ origin, 'x-understudy-token': token ?? '' })
  expect(await answer.json()).toMatchObject({ places: [{ name: 'src/mocks/handlers.ts' }] })
})

test('a file that no page has loaded is not revealed', async () => {
  const token = (await panel.locator('meta[name=understudy-token]').getAttribute('content')) ?? ''
  const places = ['/package.json', '/@fs/etc/passwd', '/../../package.json', 'file:///etc/passwd', 'nothing'].map(
    (path) => ({
      file: path.startsWith('/') ? served.server.origin + path : path,
      line: 1,
      column: 1,
    }),
  )
  const answer = await fetch(`${address()}locate`, {
    method: 'POST',
    headers: { origin: served.server.origin, 'x-understudy-token': token },
    body: JSON.stringify({ places }),
  })
  expect(await answer.json()).toEqual({ places: places.map(() => null) })
})

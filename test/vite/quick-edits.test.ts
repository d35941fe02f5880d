/** Tests handlers that are saved while a page loads, or twice in a row: the page gets the new ones without a reload. */
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import type { RunningServer } from '../acceptance/build-tool.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { vite } from './vite.ts'

const handlersFile = 'src/mocks/handlers.js'

let browser: Browser
let project: Project
let server: RunningServer
let original: string
let edits = 0

beforeAll(async () => {
  ;[browser, project] = await Promise.all([launchBrowser(), createProject('test/fixtures/hot')])
  original = await project.read(handlersFile)
  await vite.configure(project, {})
  server = await vite.start(project)
})
afterAll(async () => {
  await Promise.all([browser.close(), server.stop()])
  await project.dispose()
})

/** Saves the handlers with a new answer, and returns it. */
async function saveHandlers(): Promise<string> {
  const answer = `handlers ${(edits += 1)}`
  await project.write(handlersFile, original.replace('handlers 0', answer))
  return answer
}

const ask = (page: Page) => (): Promise<string> => page.evaluate<string>(`globalThis.ask('/api/handlers')`)

/** A promise with its resolving functions. */
function createSignal(): PromiseWithResolvers<void> {
  return Promise.withResolvers<void>()
}

test('while the handlers load', async () => {
  const { page, navigations, close } = await openVisit(browser)
  const requested = createSignal()
  const released = createSignal()
  const updated = createSignal()
  await page.route(/\/src\/mocks\/handlers\.js$/, async (route) => {
    const response = await route.fetch()
    requested.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"update"')) updated.resolve()
    }),
  )
  await page.goto(server.origin, { waitUntil: 'commit' })
  await requested.promise
  const answer = await saveHandlers()
  await updated.promise
  released.resolve()
  await expect.poll(ask(page)).toBe(answer)
  expect(navigations).toHaveLength(1)
  await close()
})

test('before the page is connected to the dev server', async () => {
  const { page, navigations, close } = await openVisit(browser)
  const connected = createSignal()
  await page.routeWebSocket(/.*/, async (socket) => {
    await connected.promise
    socket.connectToServer()
  })
  await page.goto(server.origin, { waitUntil: 'commit' })
  await expect.poll(ask(page)).toBe(`handlers ${edits}`)
  const answer = await saveHandlers()
  // The dev server has seen the edit, but no client was connected.
  await expect.poll(() => fetch(new URL(handlersFile, server.origin)).then((it) => it.text())).toContain(answer)
  connected.resolve()
  await expect.poll(ask(page)).toBe(answer)
  expect(navigations).toHaveLength(1)
  await close()
})

test('twice, like an editor and its formatter', async () => {
  const { page, navigations, close } = await openVisit(browser)
  let onUpdate = (): void => undefined
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"update"')) onUpdate()
    }),
  )
  await page.goto(server.origin)
  await expect.poll(ask(page)).toBe(`handlers ${edits}`)
  for (let round = 0; round < 5; round += 1) {
    const updated = createSignal()
    onUpdate = updated.resolve
    await saveHandlers()
    await updated.promise
    // Within 50 ms, Vite's watcher does not report a second change of a file.
    const answer = await saveHandlers()
    await expect.poll(ask(page)).toBe(answer)
  }
  expect(navigations).toHaveLength(1)
  await close()
})

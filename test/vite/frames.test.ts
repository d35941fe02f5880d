/** Frames, pop-ups and workers that have no engine of their own, in Chromium. */
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { frameKinds, printedPages, uncontrolledKinds, type FrameKind } from '../acceptance/frames.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { vite } from './vite.ts'

// What the fixture's page has on its window, for the functions that run there.
declare global {
  var inFrames: Record<FrameKind, () => Promise<unknown>>
}

let backend: CountingBackend
let project: Project
let server: RunningServer
let browser: Browser
let visit: Visit

beforeAll(async () => {
  ;[backend, project, browser] = await Promise.all([
    startBackend(printedPages),
    createProject('test/fixtures/documents'),
    launchBrowser(),
  ])
  await vite.configure(project, { api: backend.origin, plugin: { expose: true } })
  server = await vite.start(project)
})

afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})

beforeEach(async () => {
  visit = await openVisit(browser)
  await visit.page.goto(server.origin)
  await visit.page.waitForFunction('globalThis.isReady')
})

afterEach(async () => {
  await visit.close()
  const escaped = [...backend.requests]
  backend.forget()
  expect(escaped).toEqual([])
})

describe.each(['first', 'second'])('on the %s visit', (ordinal) => {
  beforeEach(async () => {
    if (ordinal === 'first') return
    await visit.page.reload()
    await visit.page.waitForFunction('globalThis.isReady')
  })

  test.each(frameKinds.filter((kind) => !uncontrolledKinds.chromium.includes(kind)))(
    '%s: the page that mocks answers a script and an image',
    async (kind) => {
      expect(await visit.page.evaluate((name) => globalThis.inFrames[name](), kind)).toEqual(['the mock', 7])
    },
  )
})

test.each(uncontrolledKinds.chromium)('%s: Chromium has no worker control it', async (kind) => {
  expect(await visit.page.evaluate((name) => globalThis.inFrames[name](), kind)).toEqual(['the backend', 'error'])
  expect(backend.requests.toSorted()).toEqual(['GET /api/image', 'GET /api/user'])
  backend.forget()
})

test('what no handler matches goes to the network from a frame too', async () => {
  const answer = await visit.page.evaluate(async () => {
    const frame = document.createElement('iframe')
    frame.srcdoc = 'A frame'
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    document.body.append(frame)
    await loaded
    return (await frame.contentWindow?.fetch('/api/other'))?.json() as Promise<unknown>
  })
  expect(answer).toEqual({ from: 'the backend' })
  expect(backend.requests).toEqual(['GET /api/other'])
  backend.forget()
})

test('a page that has ended mocking is answered by no other page', async () => {
  const answer = await visit.page.evaluate(async () => {
    const frame = document.createElement('iframe')
    frame.src = '/'
    document.body.append(frame)
    const page = frame.contentWindow as unknown as Record<string, { worker: { stop(): void } } | undefined> & Window
    while (!page['isReady']) await new Promise((resolve) => setTimeout(resolve, 20))
    page['understudy']?.worker.stop()
    return (await page.fetch('/api/user')).json() as Promise<unknown>
  })
  expect(answer).toEqual({ from: 'the backend' })
  expect(backend.requests).toEqual(['GET /api/user'])
  backend.forget()
})

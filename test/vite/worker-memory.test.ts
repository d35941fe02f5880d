/** What a service worker does that the browser has ended: it knows nothing, and lets nothing escape. In Chromium. */
import { readFile } from 'node:fs/promises'

import type { SetupWorker } from '@understudy/engine/browser'
import type { Browser, CDPSession, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from '../acceptance/browser.ts'
import type { RunningServer } from '../acceptance/build-tool.ts'
import { backendAnswer, startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { vite } from './vite.ts'

// What the fixture's page has on its window, for the functions that run there.
declare global {
  var engine: typeof import('@understudy/engine')
  var setupWorker: typeof import('@understudy/engine/browser').setupWorker
  var worker: SetupWorker
}

let backend: CountingBackend
let project: Project
let server: RunningServer
let browser: Browser

let visit: Visit
let page: Page
let cdp: CDPSession

beforeAll(async () => {
  const script = await readFile(new URL(import.meta.resolve('@understudy/engine/worker')), 'utf8')
  ;[backend, project, browser] = await Promise.all([
    startBackend(),
    createProject('test/fixtures/plain', {
      'public/understudy-worker.js': script,
      'public/empty.html': '<!doctype html><title>Empty</title><link rel="icon" href="data:," />',
      'public/shared-worker.js':
        'onconnect = ({ ports: [port] }) => { port.onmessage = async ({ data }) => {' +
        ' port.postMessage(await fetch(data).then((r) => r.json(), (e) => e.name)) } }',
    }),
    launchBrowser(),
  ])
  await vite.configure(project, { plugin: null, api: backend.origin })
  server = await vite.start(project)
})

afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})

beforeEach(async () => {
  visit = await openVisit(browser)
  page = visit.page
  await startMocking(page, 'the mock')
  cdp = await visit.context.newCDPSession(page)
})

afterEach(async () => {
  backend.forget()
  await visit.close()
})

/** Opens the fixture's page and has it answer `/api/user`. */
async function startMocking(on: Page, from: string): Promise<void> {
  await on.goto(server.origin)
  await on.waitForFunction('isReady')
  await on.evaluate(async (text) => {
    const { http, HttpResponse } = engine
    globalThis.worker = setupWorker(http.get('/api/user', () => HttpResponse.json({ from: text })))
    await worker.start()
  }, from)
}

async function endWorker(): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) resolve()
    })
  })
  await cdp.send('ServiceWorker.enable')
  await cdp.send('ServiceWorker.stopAllWorkers')
  await stopped
  await cdp.send('ServiceWorker.disable')
}

/** What a GET answers, as the page sees it. */
function get(path: string, on: Page = page): Promise<unknown> {
  return on.evaluate(async (url) => (await fetch(url)).json() as Promise<unknown>, path)
}

/** Has a dedicated worker of the page make a GET. */
function getByWorker(path: string, on: Page = page): Promise<unknown> {
  return on.evaluate(
    (url) =>
      new Promise((resolve) => {
        const state = globalThis as { asking?: Worker }
        const asking = (state.asking ??= new Worker('/asking-worker.js'))
        asking.addEventListener('message', ({ data }) => resolve(data), { once: true })
        asking.postMessage(url)
      }),
    path,
  )
}

const mocked = { from: 'the mock' }

test('an app that deletes all storage of its origin stays mocked', async () => {
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name)
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
    localStorage.clear()
  })
  await endWorker()
  expect(await get('/api/user')).toEqual(mocked)
  expect(await get('/api/other')).toEqual(backendAnswer)
  expect(backend.requests).toEqual(['GET /api/other'])
})

test('a request waits for a page that is too busy to answer', async () => {
  await endWorker()
  const answer = await page.evaluate(async () => {
    const response = fetch('/api/user', { method: 'GET' })
    // Longer than the worker waits for anything else.
    const end = performance.now() + 4500
    await Promise.resolve()
    while (performance.now() < end);
    return (await response).json() as Promise<unknown>
  })
  expect(answer).toEqual(mocked)
  expect(backend.requests).toEqual([])
})

test('a page without an engine is left alone, also beside one that mocks', async () => {
  const other = await openPage(visit.context)
  await other.page.goto(`${server.origin}/empty.html`)
  await endWorker()
  expect(await get('/api/user', other.page)).toEqual(backendAnswer)
  expect(await get('/api/user')).toEqual(mocked)
})

describe('two pages with different handlers', () => {
  let other: Visit
  beforeEach(async () => {
    other = await openPage(visit.context)
    await startMocking(other.page, 'the other page')
  })

  test('each answers its own web workers', async () => {
    expect(await getByWorker('/api/user')).toEqual(mocked)
    expect(await getByWorker('/api/user', other.page)).toEqual({ from: 'the other page' })
    await endWorker()
    expect(await getByWorker('/api/user', other.page)).toEqual({ from: 'the other page' })
    expect(await getByWorker('/api/user')).toEqual(mocked)
    expect(backend.requests).toEqual([])
  })

  test('one that does not respond is not waited for where another one can answer', async () => {
    // A worker of nobody in particular: it was not loaded by a request.
    const ask = (): Promise<unknown> =>
      page.evaluate(
        (url) =>
          new Promise((resolve) => {
            const code = `fetch(${JSON.stringify(url)}).then((r) => r.json()).then(postMessage)`
            const asking = new Worker(URL.createObjectURL(new Blob([code])))
            asking.addEventListener('message', ({ data }) => resolve(data))
          }),
        `${server.origin}/api/user`,
      )
    await other.page.bringToFront()
    const busy = other.page.evaluate(() => {
      document.title = 'busy'
      const end = performance.now() + 15_000
      while (performance.now() < end);
    })
    busy.catch(() => {})
    expect(await ask()).toEqual(mocked)
    await endWorker()
    expect(await ask()).toEqual(mocked)
    expect(backend.requests).toEqual([])
  })

  test('a request whose page has gone fails, and does not reach the network', async () => {
    await page.evaluate(() => {
      const { http } = engine
      worker.use(http.get('/api/slow', () => new Promise<never>(() => {})))
    })
    const openShared = (on: Page, path: string): Promise<unknown> =>
      on.evaluate(
        (url) =>
          new Promise((resolve) => {
            const { port } = new SharedWorker('/shared-worker.js')
            port.onmessage = ({ data }) => resolve(data)
            port.postMessage(url)
          }),
        path,
      )
    expect(await openShared(page, '/api/user')).toEqual(mocked)
    const slow = openShared(other.page, '/api/slow')
    await page.waitForTimeout(300)
    await page.close()
    expect(await slow).toBe('TypeError')
    expect(backend.requests).toEqual([])
  })
})

test('two engines of a page answer, each what its handlers match', async () => {
  const answers = await page.evaluate(async () => {
    const { http, HttpResponse } = engine
    const second = setupWorker(http.get('/api/second', () => HttpResponse.json({ from: 'the second' })))
    await second.start()
    const ask = async (path: string): Promise<unknown> => (await fetch(path)).json()
    const both = [await ask('/api/user'), await ask('/api/second')]
    second.stop()
    return [...both, await ask('/api/user')]
  })
  expect(answers).toEqual([mocked, { from: 'the second' }, mocked])
  expect(backend.requests).toEqual([])
  await endWorker()
  expect(await get('/api/user')).toEqual(mocked)
})

test('a page that comes back from the back/forward cache is mocked', async () => {
  const cached = await launchBrowserWithCache()
  try {
    const { page: tab, close } = await openVisit(cached)
    await startMocking(tab, 'the mock')
    await tab.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => Object.assign(globalThis, { persisted }))
    })
    await tab.goto(`${server.origin}/empty.html`)
    await tab.goBack({ waitUntil: 'commit' })
    await expect.poll(() => tab.evaluate('globalThis.persisted')).toBe(true)
    expect(await get('/api/user', tab)).toEqual(mocked)
    expect(backend.requests).toEqual([])
    await close()
  } finally {
    await cached.close()
  }
})

/** Playwright switches the back/forward cache off. */
function launchBrowserWithCache(): Promise<Browser> {
  return launchBrowser([], { ignoreDefaultArgs: ['--disable-back-forward-cache'] })
}

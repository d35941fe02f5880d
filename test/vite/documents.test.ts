/** Documents at mocked URLs, and the app's own pages, which handlers never replace: in Chromium. */
import { readFile } from 'node:fs/promises'

import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { vite } from './vite.ts'

// What the fixture's page has on its window, for the functions that run there.
declare global {
  var inDocuments: Record<'frame' | 'object' | 'embed' | 'form' | 'requests', (url: string) => Promise<unknown>>
}

type Exposed = typeof import('@understudy/engine') & { worker: import('@understudy/engine/browser').SetupWorker }

const page = (): Page => visit.page

let backend: CountingBackend
let project: Project
let server: RunningServer
let browser: Browser
let visit: Visit

beforeAll(async () => {
  ;[backend, project, browser] = await Promise.all([
    startBackend(),
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
  visit = await openVisit(browser, { acceptDownloads: true })
})

afterEach(async () => {
  await visit.close()
  const escaped = [...backend.requests]
  backend.forget()
  expect(escaped).toEqual([])
})

const open = (path: string): Promise<unknown> => page().goto(server.origin + path)

async function openApp(path = '/'): Promise<void> {
  await open(path)
  await page().waitForFunction('globalThis.isReady')
}

const heading = (): Promise<string> => page().locator('h1').innerText()

const inPage = (kind: keyof typeof inDocuments, url: string): Promise<unknown> =>
  page().evaluate(([name, given]) => globalThis.inDocuments[name](given), [kind, url] as const)

/** What a page downloads when it does something. */
async function download(act: () => Promise<unknown>): Promise<[name: string, text: string]> {
  const [started] = await Promise.all([page().waitForEvent('download'), act().catch(() => {})])
  return [started.suggestedFilename(), await readFile(await started.path(), 'utf8')]
}

const routes = [
  '/',
  '/?query',
  '/index.html',
  '/users',
  '/users/5',
  '/users/jane.doe',
  '/login',
  '/version',
  '/elsewhere',
]

describe('on a first visit, before a service worker is there', () => {
  test.each([
    ['/terms', 'Mocked terms'],
    ['/api/document', 'Mocked document'],
    ['/api/old', 'Mocked document'],
  ])('the dev server answers %s by the handlers', async (path, text) => {
    await open(path)
    expect(await heading()).toBe(text)
    expect(await page().evaluate("typeof globalThis[Symbol.for('understudy')]")).toBe('undefined')
  })

  test('what such a document requests, which no service worker sees, is answered there too', async () => {
    await open('/api/document')
    expect(await page().evaluate('user')).toEqual({ from: 'the mock' })
    await page().waitForFunction('document.images[0].naturalWidth === 7')
  })

  test('a download', async () => {
    expect(await download(() => open('/export.csv'))).toEqual(['export.csv', 'a,b\n1,2\n'])
  })

  test('every route is the app', async () => {
    for (const path of routes) {
      await openApp(path)
      expect(await heading(), path).toBe('The app')
    }
  })

  test('a network error fails the navigation', async () => {
    await expect(open('/api/broken')).rejects.toThrow(/ERR_/)
  })

  test('what a handler passes through is the real server', async () => {
    await open('/api/real')
    expect(await page().locator('body').innerText()).toContain('the backend')
    expect(backend.requests).toEqual(['GET /api/real'])
    backend.forget()
  })

  test('a form that no handler answers arrives there whole', async () => {
    await page().route('**/start', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<form method="post" action="/api/other"><input name="name" value="Ada"></form>',
      }),
    )
    await open('/start')
    await Promise.all([page().waitForURL('**/api/other'), page().evaluate('document.forms[0].submit()')])
    expect(backend.requests).toEqual(['POST /api/other'])
    expect(backend.bodies).toEqual(['name=Ada'])
    backend.forget()
  })
})

describe.each(['first', 'second'])('on a page that mocks, on the %s visit', (ordinal) => {
  beforeEach(async () => {
    await openApp()
    if (ordinal === 'second') await openApp()
  })

  test('frames, objects and forms show what handlers answer, and the app where it has a page', async () => {
    for (const [kind, url, text] of [
      ['frame', '/api/document', 'Mocked document'],
      ['frame', '/terms', 'Mocked terms'],
      ['frame', '/api/old', 'Mocked document'],
      ['frame', '/users', 'The app'],
      ['frame', '/', 'The app'],
      ['object', '/terms', 'Mocked terms'],
      ['form', '/api/form', 'name=Ada'],
      ['form', '/contact', 'name=Ada'],
    ] as const) {
      expect(await inPage(kind, url), `${kind} of ${url}`).toBe(text)
    }
  })

  test('a mocked document has no gate, and the page that mocks answers its requests', async () => {
    expect(await inPage('requests', '/api/document')).toEqual([{ from: 'the mock' }, 7])
  })

  test('a handler that was added at run time answers a document', async () => {
    await page().evaluate(() => {
      const { http, HttpResponse, worker } = (globalThis as unknown as { understudy: Exposed }).understudy
      worker.use(
        http.get('/api/new', () => HttpResponse.html('<h1>New</h1>')),
        http.get('/api/data', () => HttpResponse.json({ from: 'the mock' })),
        http.get('/new', () => HttpResponse.html('<h1>New</h1>')),
      )
    })
    expect(await inPage('frame', '/api/new')).toBe('New')
    expect(await inPage('frame', '/new')).toBe('New')
    expect(await inPage('frame', '/api/data')).toBe('{"from":"the mock"}')
  })

  test('a link', async () => {
    await page().evaluate("location.href = '/api/document'")
    await expect.poll(heading).toBe('Mocked document')
  })

  test('a pop-up, whose page answers its requests as long as it lives', async () => {
    const [opened] = await Promise.all([
      visit.context.waitForEvent('page'),
      page().evaluate("void open('/api/document')"),
    ])
    await opened.waitForLoadState()
    expect(await opened.locator('h1').innerText()).toBe('Mocked document')
    expect(await opened.evaluate('user')).toEqual({ from: 'the mock' })
  })

  test('downloads by links, with and without the attribute', async () => {
    const click = (attributes: { href: string; download?: string }): Promise<unknown> =>
      page().evaluate((given) => Object.assign(document.createElement('a'), given).click(), attributes)
    const table = ['export.csv', 'a,b\n1,2\n']
    expect(await download(() => click({ href: '/export.csv', download: 'export.csv' }))).toEqual(table)
    expect(await download(() => click({ href: '/export.csv' }))).toEqual(table)
    const other = ['other.csv', 'c,d\n3,4\n']
    expect(await download(() => click({ href: '/api/export', download: 'other.csv' }))).toEqual(other)
  })

  test('a reload of every route is the app, and so is another tab', async () => {
    const other = await visit.context.newPage()
    for (const path of routes) {
      await other.goto(server.origin + path)
      expect(await other.locator('h1').innerText(), path).toBe('The app')
    }
    for (const path of routes) {
      await page().evaluate((route) => history.pushState({}, '', route), path)
      await page().reload()
      await page().waitForFunction('globalThis.isReady')
      expect(await heading(), path).toBe('The app')
    }
  })

  test('handlers of every path leave the app alone', async () => {
    await page().evaluate(() => {
      const { http, HttpResponse, passthrough, worker } = (globalThis as unknown as { understudy: Exposed }).understudy
      for (const pattern of ['*', '/*', '/:page', '*/*', /./]) {
        worker.use(http.all(pattern, () => HttpResponse.html('<h1>Every path</h1>')))
      }
      worker.use(http.get('*', ({ url }) => (/\.js|\/@|\/src\//.test(url.pathname) ? passthrough() : undefined)))
    })
    for (const route of ['/', '/users/5', '/elsewhere']) {
      const other = await visit.context.newPage()
      await other.goto(server.origin + route)
      expect(await other.locator('h1').innerText()).toBe('The app')
      await other.close()
    }
    await page().reload()
    expect(await heading()).toBe('The app')
  })

  test('a mocked document with no page left is mocked by the dev server', async () => {
    await page().evaluate("location.href = '/terms'")
    await expect.poll(heading).toBe('Mocked terms')
    await page().reload()
    expect(await heading()).toBe('Mocked terms')
    await open('/api/document')
    expect(await heading()).toBe('Mocked document')
  })
})

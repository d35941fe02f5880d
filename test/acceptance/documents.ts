import { describe, beforeEach, expect, test } from 'vitest'

import type { BuildTool, Extent } from './build-tool.ts'
import { chromium } from './chromium.ts'
import type { BrowserDriver, TestPage } from './test-browser.ts'
import { visitDocuments } from './visit-documents.ts'

// Functions of the fixture's page.
declare global {
  var inDocuments: Record<'frame' | 'object' | 'embed' | 'form' | 'requests', (url: string) => Promise<unknown>>
}

type Exposed = typeof import('@understudy/engine') & { worker: import('@understudy/engine/browser').SetupWorker }

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

/** Elements whose requests browsers do not send to a service worker. */
const embedded = [
  ['object', '/terms', 'Mocked terms'],
  ['embed', '/terms', 'Mocked terms'],
] as const

/** Tests documents at mocked URLs, and the app's own pages, which handlers never replace. */
export function testDocuments(tool: BuildTool, driver: BrowserDriver = chromium, extent: Extent = 'all'): void {
  describe(`${tool.name} in ${driver.name}, documents`, () => {
    const fixture = visitDocuments(tool, driver)
    const page = (): TestPage => fixture.visit.page

    /** Firefox sends the request of a link with the attribute `download` to the service worker. */
    const seesDownloads = tool.answersDocuments || driver.name === 'Firefox'

    async function heading(on = page()): Promise<string> {
      await on.waitForFunction("document.querySelector('h1')")
      return on.evaluate("document.querySelector('h1').innerText")
    }

    const inPage = (kind: keyof typeof inDocuments, url: string): Promise<unknown> =>
      page().evaluate(([name, given]) => globalThis.inDocuments[name](given), [kind, url] as const)

    describe.runIf(tool.answersDocuments)('on a first visit, before a service worker exists', () => {
      test.each([
        ['/terms', 'Mocked terms'],
        ['/api/document', 'Mocked document'],
        ['/api/old', 'Mocked document'],
      ])('the dev server answers %s by the handlers', async (path, text) => {
        await fixture.open(path)
        expect(await heading()).toBe(text)
        expect(await page().evaluate("typeof globalThis[Symbol.for('understudy')]")).toBe('undefined')
      })

      test('the dev server also answers the requests of such a document, which no service worker intercepts', async () => {
        await fixture.open('/api/document')
        expect(await page().evaluate('user')).toEqual({ from: 'the mock' })
        await page().waitForFunction('document.images[0].naturalWidth === 7')
      })

      test('the console names no document that the dev server answered', async () => {
        const { visit } = fixture
        await fixture.openApp('/embedding.html')
        const documents = await page().evaluate(
          "['iframe', 'object', 'embed', 'users'].map((name) => frames[name]?.document.querySelector('h1').innerText)",
        )
        expect(documents).toEqual(['Mocked terms', 'Mocked document', 'Mocked terms', 'The app'])
        const named = (): unknown[] =>
          visit.console.flatMap((line) => /answer requests for (.*): they .*US0320/.exec(line)?.[1]?.split(', ') ?? [])
        await expect.poll(named).not.toEqual([])
        const { origin } = new URL(await page().evaluate<string>('location.href'))
        // The handlers module does not contain the handler of /at-run-time.
        expect(new Set(named())).toEqual(new Set([`${origin}/api/image`, `${origin}/at-run-time`]))
        expect(new Set(fixture.backend.requests)).toEqual(new Set(['GET /api/image']))
        fixture.backend.forget()
      })

      test('a download', async () => {
        expect(await fixture.visit.waitForDownload(() => fixture.open('/export.csv'))).toEqual([
          'export.csv',
          'a,b\n1,2\n',
        ])
      })

      test('every route of the app shows the app', async () => {
        for (const path of routes) {
          await fixture.openApp(path)
          expect(await heading(), path).toBe('The app')
        }
      })

      test('a network error fails the navigation', async () => {
        // Chromium's message, and Firefox's.
        await expect(fixture.open('/api/broken')).rejects.toThrow(/ERR_|NS_|neterror|denied/i)
      })

      test('a passthrough request reaches the real server', async () => {
        await fixture.open('/api/real')
        expect(await page().evaluate('document.body.innerText')).toContain('the backend')
        expect(fixture.backend.requests).toEqual(['GET /api/real'])
        fixture.backend.forget()
      })

      test('a form that no handler answers reaches the real server unchanged', async () => {
        await fixture.open('/form.html')
        await page().evaluate('document.forms[0].submit()')
        await page().waitForFunction("location.pathname === '/api/other' && document.readyState === 'complete'")
        expect(fixture.backend.requests).toEqual(['POST /api/other'])
        expect(fixture.backend.bodies).toEqual(['name=Ada'])
        fixture.backend.forget()
      })
    })

    describe.each(extent === 'all' ? ['first', 'second'] : ['first'])(
      'on a page that mocks, on the %s visit',
      (ordinal) => {
        const openAgain = async (): Promise<void> => {
          await fixture.openApp()
          if (ordinal === 'second') await fixture.openApp()
        }

        // These leave the page as it is.
        describe('on one page', () => {
          fixture.shareVisit(openAgain)

          test('frames, objects and forms show the responses of handlers, and the app on its own paths', async () => {
            for (const [kind, url, text] of [
              ['frame', '/api/document', 'Mocked document'],
              ['frame', '/terms', 'Mocked terms'],
              ['frame', '/api/old', 'Mocked document'],
              ['frame', '/users', 'The app'],
              ['frame', '/', 'The app'],
              ...(tool.answersDocuments ? embedded : []),
              ['form', '/api/form', 'name=Ada'],
              ['form', '/contact', 'name=Ada'],
            ] as const) {
              expect(await inPage(kind, url), `${kind} of ${url}`).toBe(text)
            }
          })

          if (extent === 'main') return

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

          test('downloads by links, with and without the attribute', async () => {
            const click = (attributes: { href: string; download?: string }): Promise<unknown> =>
              page().evaluate((given) => Object.assign(document.createElement('a'), given).click(), attributes)
            const table = ['export.csv', 'a,b\n1,2\n']
            expect(await fixture.visit.waitForDownload(() => click({ href: '/export.csv' }))).toEqual(table)
            if (!seesDownloads) return
            expect(
              await fixture.visit.waitForDownload(() => click({ href: '/export.csv', download: 'export.csv' })),
            ).toEqual(table)
            const other = ['other.csv', 'c,d\n3,4\n']
            expect(
              await fixture.visit.waitForDownload(() => click({ href: '/api/export', download: 'other.csv' })),
            ).toEqual(other)
          })
        })

        describe('each on a separate page', () => {
          beforeEach(openAgain)

          test('a reload of every route shows the app, as another tab does', async () => {
            // For another tab, it makes no difference how often this one was loaded.
            const other = ordinal === 'first' ? await fixture.visit.profile.openPage() : undefined
            const origin = await page().evaluate('location.origin')
            for (const path of other ? routes : []) {
              await other?.page.goto(origin + path)
              expect(await heading(other?.page), path).toBe('The app')
            }
            for (const path of routes) {
              await page().evaluate((route) => history.pushState({}, '', route), path)
              await page().reload()
              await page().waitForFunction('globalThis.isReady')
              expect(await heading(), path).toBe('The app')
            }
          })

          test('handlers for every path do not answer requests for the app', async () => {
            await page().evaluate(() => {
              const { http, HttpResponse, passthrough, worker } = (globalThis as unknown as { understudy: Exposed })
                .understudy
              for (const pattern of ['*', '/*', '/:page', '*/*', /./]) {
                worker.use(http.all(pattern, () => HttpResponse.html('<h1>Every path</h1>')))
              }
              worker.use(
                http.get('*', ({ url }) => (/\.js|\/@|\/src\//.test(url.pathname) ? passthrough() : undefined)),
              )
            })
            const origin = await page().evaluate('location.origin')
            for (const route of ['/', '/users/5', '/elsewhere']) {
              const other = await fixture.visit.profile.openPage()
              await other.page.goto(origin + route)
              expect(await heading(other.page)).toBe('The app')
              await other.close()
            }
            await page().reload()
            expect(await heading()).toBe('The app')
          })

          // What follows is code of the engine and the worker, which is the same with each dev server of this kind.
          if (extent === 'main') return

          test('a link', async () => {
            await page().evaluate("location.href = '/api/document'")
            await expect.poll(() => heading()).toBe('Mocked document')
          })

          test('a pop-up: the page that opened it answers its requests while that page is open', async () => {
            const opened = await fixture.visit.waitForPopUp(() => page().evaluate("void open('/api/document')"))
            expect(await heading(opened)).toBe('Mocked document')
            expect(await opened.evaluate('user')).toEqual({ from: 'the mock' })
          })

          test.skipIf(tool.answersDocuments)(
            'the console names requests that no service worker intercepts, once for each URL',
            async () => {
              await inPage('object', '/terms')
              await inPage('embed', '/terms')
              await inPage('object', '/api/document')
              // No handler answers these as documents.
              await inPage('object', '/elsewhere')
              const expected = ['/terms', '/api/document']
              if (!seesDownloads) {
                for (const isAttached of [false, true]) {
                  await page().evaluate((attached) => {
                    const link = Object.assign(document.createElement('a'), {
                      href: '/export.csv',
                      download: 'export.csv',
                    })
                    if (attached) document.body.append(link)
                    link.click()
                  }, isAttached)
                }
                expected.push('/export.csv')
              }
              fixture.backend.forget()
              const origin = await page().evaluate(() => location.origin)
              const named = (): unknown[] =>
                fixture.visit.console.flatMap((line) => /a request for (\S+): browsers send/.exec(line)?.[1] ?? [])
              await expect.poll(named).toEqual(expected.map((path) => `${origin}${path}`))
              expect(fixture.visit.console.filter((line) => line.includes('US0317'))).toHaveLength(expected.length)
            },
          )

          test.runIf(tool.answersDocuments)(
            'the dev server answers a mocked document that has no open page',
            async () => {
              await page().evaluate("location.href = '/terms'")
              await expect.poll(() => heading()).toBe('Mocked terms')
              await page().reload()
              expect(await heading()).toBe('Mocked terms')
              await fixture.open('/api/document')
              expect(await heading()).toBe('Mocked document')
            },
          )
        })
      },
    )
  })
}

import { describe, expect, test } from 'vitest'

import { chromium } from './chromium.ts'
import { backendAnswer } from './counting-backend.ts'
import { mocked, visitMockedPage } from './mocked-page.ts'
import type { BrowserDriver } from './test-browser.ts'

/** Tests the requests that the service worker intercepts, with `setupWorker` and without a plugin. */
export function testServiceWorker(driver: BrowserDriver = chromium): void {
  describe(`in ${driver.name}, the requests that the service worker intercepts`, () => {
    const { current, fixture, get } = visitMockedPage(driver)

    test('answers requests that a handler matches, and does not intercept others', async () => {
      expect(await get('/api/user')).toEqual(mocked)
      expect(await get('/api/other')).toEqual(backendAnswer)
      expect(await get('/api/real')).toEqual(backendAnswer)
      expect(fixture.backend.requests).toEqual(['GET /api/other', 'GET /api/real'])
    })

    test('the message about a change does not grow with the number of handlers', async () => {
      const told = await current.page.evaluate(async () => {
        const { http, HttpResponse } = engine
        const messages: string[] = []
        const post = ServiceWorker.prototype.postMessage
        ServiceWorker.prototype.postMessage = function (this: ServiceWorker, message: unknown, options: never) {
          messages.push(JSON.stringify(message))
          post.call(this, message, options)
        }
        worker.use(
          ...Array.from({ length: 1000 }, (_, index) => http.get(`/api/many/${index}`, () => HttpResponse.json(1))),
        )
        worker.use(http.get('/api/new', () => HttpResponse.json({ from: 'the mock' })))
        const [first, second, third] = await Promise.all(
          ['/api/many/999', '/api/new', '/api/user'].map(async (path): Promise<unknown> => (await fetch(path)).json()),
        )
        ServiceWorker.prototype.postMessage = post
        return { lengths: messages.map(({ length }) => length), answers: [first, second, third] }
      })
      expect(told.answers).toEqual([1, mocked, mocked])
      const [many = 0, one = 0] = told.lengths
      expect(many).toBeGreaterThan(50_000)
      expect(one).toBeLessThan(500)
    })

    describe('use()', () => {
      test('a route that the worker does not know yet answers the very next request', async () => {
        const answers = await current.page.evaluate(async () => {
          const seen: unknown[] = []
          for (let round = 0; round < 10; round += 1) {
            worker.use(engine.http.get(`/api/new/${round}`, () => engine.HttpResponse.json({ from: 'the mock' })))
            const response = await fetch(`/api/new/${round}`)
            seen.push(await response.json())
          }
          return seen
        })
        expect(answers).toEqual(Array(10).fill(mocked))
        expect(fixture.backend.requests).toEqual([])
      })

      test('a new route also answers an XMLHttpRequest, and a request while mocking starts', async () => {
        await current.page.reload()
        await current.page.waitForFunction('globalThis.isReady')
        const answer = await current.page.evaluate(async () => {
          globalThis.worker = setupWorker()
          const started = worker.start()
          await new Promise((resolve) => setTimeout(resolve))
          worker.use(engine.http.get('/api/late', () => engine.HttpResponse.json({ from: 'the mock' })))
          await started
          return new Promise((resolve) => {
            const xhr = new XMLHttpRequest()
            xhr.open('GET', '/api/late')
            xhr.addEventListener('loadend', () => resolve(JSON.parse(xhr.responseText)))
            xhr.send()
          })
        })
        expect(answer).toEqual(mocked)
      })

      test('resetHandlers() removes the route', async () => {
        await current.page.evaluate(() => {
          worker.use(engine.http.get('/api/new', () => engine.HttpResponse.json({ from: 'the mock' })))
          worker.resetHandlers()
        })
        expect(await get('/api/new')).toEqual(backendAnswer)
      })
    })

    test('a cookie that a mock sets reaches the document and later requests', async () => {
      const seen = await current.page.evaluate(async () => {
        const { http, HttpResponse } = engine
        worker.use(
          http.post('/api/login', () => new HttpResponse(null, { headers: { 'Set-Cookie': 'session=abc; Path=/' } })),
          http.get('/api/whoami', ({ cookies }) => HttpResponse.json(cookies)),
        )
        await fetch('/api/login', { method: 'POST' })
        return [document.cookie, await (await fetch('/api/whoami')).json()] as unknown
      })
      expect(seen).toEqual(['session=abc', { session: 'abc' }])
    })

    test('requests of a dedicated worker are mocked', async () => {
      const ask = (path: string): Promise<unknown> =>
        current.page.evaluate(
          (url) =>
            new Promise((resolve) => {
              const asking = new Worker('/asking-worker.js')
              asking.addEventListener('message', ({ data }) => resolve(data))
              asking.postMessage(url)
            }),
          path,
        )
      expect(await ask('/api/user')).toEqual(mocked)
      expect(await ask('/api/other')).toEqual(backendAnswer)

      // The page that made the previous request is closed. The worker must not wait for it.
      await current.page.reload()
      await current.page.waitForFunction('globalThis.isReady')
      await current.page.evaluate(async () => {
        globalThis.worker = setupWorker(
          engine.http.get('/api/user', () => engine.HttpResponse.json({ from: 'the mock' })),
        )
        await worker.start()
      })
      expect(await ask('/api/user')).toEqual(mocked)
    })

    test('requests of elements are mocked', async () => {
      const width = await current.page.evaluate(async () => {
        const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"></svg>'
        worker.use(
          engine.http.get(
            '/api/image',
            () => new engine.HttpResponse(svg, { headers: { 'Content-Type': 'image/svg+xml' } }),
          ),
        )
        const image = new Image()
        image.src = '/api/image'
        await image.decode()
        return image.naturalWidth
      })
      expect(width).toBe(7)
    })

    test('a network error fails the request like a missing network', async () => {
      const error = await current.page.evaluate(async () => {
        worker.use(engine.http.get('/api/broken', () => engine.HttpResponse.error()))
        return fetch('/api/broken').catch((reason: Error) => `${reason.name}: ${reason.message}`)
      })
      const missing = driver.name === 'Firefox' ? 'NetworkError when attempting to fetch resource.' : 'Failed to fetch'
      expect(error).toBe(`TypeError: ${missing}`)
    })

    test('life-cycle events report the outcome of each request, and its response', async () => {
      const seen = await current.page.evaluate(async () => {
        const lines: string[] = []
        const names = ['request:start', 'request:match', 'request:unhandled', 'request:end'] as const
        for (const name of names) {
          worker.events.on(name, ({ request }) => lines.push(`${name} ${new URL(request.url).pathname}`))
        }
        worker.events.on('response:mocked', ({ response }) => {
          lines.push(`response:mocked ${new URL(response.url).pathname}`)
        })
        const bypassed: Promise<void>[] = []
        worker.events.on('response:bypass', ({ response }) => {
          const tell = async (): Promise<void> => {
            lines.push(`response:bypass ${new URL(response.url).pathname} ${response.status} ${await response.text()}`)
          }
          bypassed.push(tell())
        })
        for (const path of ['/api/user', '/api/real', '/api/other']) await (await fetch(path)).text()
        while (bypassed.length < 2) await new Promise((resolve) => setTimeout(resolve))
        await Promise.all(bypassed)
        return lines
      })
      const body = JSON.stringify(backendAnswer)
      expect(seen.filter((line) => line.includes('/api/user'))).toEqual([
        'request:start /api/user',
        'request:match /api/user',
        'request:end /api/user',
        'response:mocked /api/user',
      ])
      expect(seen.filter((line) => line.includes('/api/real'))).toEqual([
        'request:start /api/real',
        'request:match /api/real',
        'request:end /api/real',
        `response:bypass /api/real 200 ${body}`,
      ])
      expect(seen.filter((line) => line.includes('/api/other'))).toEqual([
        'request:start /api/other',
        'request:unhandled /api/other',
        'request:end /api/other',
        `response:bypass /api/other 200 ${body}`,
      ])
    })

    describe('a request that no handler matches', () => {
      async function restart(onUnhandledRequest: 'bypass' | 'warn' | 'error'): Promise<void> {
        await current.page.evaluate(async (strategy) => {
          worker.stop()
          await worker.start({ onUnhandledRequest: strategy })
        }, onUnhandledRequest)
      }
      const reports = (): string[] =>
        current.visit.console.filter((line) => line.includes('[understudy]') && line.includes('/api/other'))

      test('"warn" prints a warning with the method and path', async () => {
        await get('/api/other')
        await expect.poll(reports).toHaveLength(1)
        expect(reports()[0]).toMatch(/^warning: \[understudy\] .*GET \/api\/other/)
      })

      // Firefox starts no request while a page sends synchronous ones.
      test.skipIf(driver.name === 'Firefox')('"warn" does not hold it, so a busy page does not delay it', async () => {
        const [answer, requests] = await current.page.evaluate(async () => {
          const asked = fetch('/api/other')
          // A synchronous request blocks the page's only thread, so a worker that asks the page would wait forever.
          const xhr = new XMLHttpRequest()
          do {
            xhr.open('GET', '/api/~requests', false)
            xhr.send()
          } while (!xhr.responseText.includes('/api/other'))
          return [(await (await asked).json()) as unknown, JSON.parse(xhr.responseText) as unknown]
        })
        expect(answer).toEqual(backendAnswer)
        expect(requests).toEqual(['GET /api/other'])
      })

      test('"error" fails it, and it does not reach the network', async () => {
        await restart('error')
        const error = await current.page.evaluate(() => fetch('/api/other').catch((reason: Error) => reason.name))
        expect(error).toBe('TypeError')
        expect(fixture.backend.requests).toEqual([])
        await expect.poll(reports).toHaveLength(1)
        expect(reports()[0]).toMatch(/^error: \[understudy\]/)
      })

      test('"bypass" prints nothing', async () => {
        await restart('bypass')
        expect(await get('/api/other')).toEqual(backendAnswer)
        expect(await get('/api/user')).toEqual(mocked)
        expect(reports()).toEqual([])
      })
    })

    /** Makes a request, and replaces the page's decision by an invalid one. Returns the name of the error. */
    const askWithInvalidDecision = (): Promise<string> =>
      current.page.evaluate(async () => {
        const { prototype } = MessagePort
        const send = Reflect.get(prototype, 'postMessage') as (message: unknown, transfer?: unknown) => void
        Object.assign(prototype, {
          postMessage(this: MessagePort, message: { type?: unknown }, transfer?: unknown) {
            const sent = message.type === 'mocked' ? { ...message, response: 'no object' } : message
            send.call(this, sent, transfer)
          },
        })
        return fetch('/api/user').then(
          () => 'a response',
          (error: Error) => error.name,
        )
      })

    test('a request fails if the page sends an invalid decision', async () => {
      expect(await askWithInvalidDecision()).toBe('TypeError')
      expect(fixture.backend.requests).toEqual([])
    })

    // WebDriver does not report the console of a service worker.
    test.runIf(driver.name === 'Chromium')('the console of the worker names an invalid decision', async () => {
      const lines = current.visit.watchWorkerConsole?.()
      await askWithInvalidDecision()
      await expect
        .poll(() => lines)
        .toEqual([
          `[understudy] Failed to answer GET ${fixture.origin}/api/user: ` +
            'the page whose handlers answer it sent an invalid decision. Reload the page. (US0309)',
        ])
    })

    test('a synchronous XMLHttpRequest, which the blocked page cannot answer, does not wait forever, and is named', async () => {
      const answer = await current.page.evaluate(() => {
        const xhr = new XMLHttpRequest()
        xhr.open('GET', '/api/user', false)
        xhr.send()
        return JSON.parse(xhr.responseText) as unknown
      })
      expect(answer).toEqual(backendAnswer)
      const warnings = (): string[] =>
        current.visit.console.filter((line) => line.includes('a synchronous XMLHttpRequest'))
      await expect.poll(warnings).toEqual([expect.stringMatching(/^warning: .*Failed to mock .*\/api\/user/)])
    })
  })
}

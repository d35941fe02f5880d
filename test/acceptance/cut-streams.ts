import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { chromium } from './chromium.ts'
import { servePlain } from './serve-plain.ts'
import type { BrowserDriver, TestBrowser, TestPage, TestVisit } from './test-browser.ts'

/** Tests that a response does not look complete to its client if the browser ends the service worker that sends it. */
export function testCutStreams(driver: BrowserDriver = chromium): void {
  describe(`in ${driver.name}, the browser ends the service worker while it sends a stream`, () => {
    const fixture = servePlain()
    let browser: TestBrowser
    let visit: TestVisit
    let page: TestPage

    beforeAll(async () => {
      browser = await driver.launch({ endsWorkers: true })
    })
    afterAll(() => browser.close())

    beforeEach(async ({ onTestFailed }) => {
      visit = await browser.openVisit()
      const { console: lines } = visit
      onTestFailed(() => console.error(lines.join('\n')))
      page = visit.page
      await page.goto(fixture.origin)
      await page.waitForFunction('globalThis.isReady')
      await page.evaluate(start)
    })
    afterEach(async () => {
      await visit.close()
      expect(fixture.backend.requests).toEqual([])
    })

    /** Starts to read a stream, ends the worker, and returns the result for the client. */
    async function readCut(read: string): Promise<unknown> {
      await page.evaluate(`void (globalThis.reading = (${read})())`)
      await page.waitForFunction('globalThis.sent > 0')
      await visit.endWorkers()
      return page.evaluate('reading')
    }

    test.for([
      ['text()', `async () => (await fetch('/api/open')).text().catch((error) => error.name)`],
      [
        'a reader',
        `async () => {
          const reader = (await fetch('/api/open')).body.getReader()
          const parts = []
          try {
            for (;;) {
              const { done, value } = await reader.read()
              if (done) return parts + ' and the end'
              parts.push(new TextDecoder().decode(value))
            }
          } catch (error) {
            return parts + ' and ' + error.name
          }
        }`,
      ],
      [
        'a clone',
        `async () => {
          const response = await fetch('/api/open')
          const read = (each) => each.text().catch((error) => error.name)
          return String(await Promise.all([read(response.clone()), read(response)]))
        }`,
      ],
      [
        'XMLHttpRequest',
        `() => new Promise((resolve) => {
          const xhr = new XMLHttpRequest()
          const events = []
          xhr.open('GET', '/api/open')
          for (const name of ['load', 'error', 'abort']) xhr['on' + name] = () => events.push(name)
          xhr.onloadend = () => resolve([...events, xhr.readyState, xhr.status, xhr.responseText].join())
          xhr.send()
        })`,
      ],
    ] as const)('%s fails', async ([name, read]) => {
      const told = {
        'text()': 'TypeError',
        'a reader': 'part 0 and TypeError',
        'a clone': 'TypeError,TypeError',
        // Chromium reports an abort if the body of a service worker’s response fails.
        XMLHttpRequest: driver.name === 'Chromium' ? 'abort,4,0,' : 'error,4,0,',
      }
      expect(await readCut(read)).toBe(told[name])
    })

    // Chromium reports the failure itself.
    test.runIf(driver.name === 'Firefox')('the console names the response', async () => {
      await readCut(`async () => (await fetch('/api/open')).text().catch((error) => error.name)`)
      const line = `error: [understudy] Failed to send the whole response of GET ${fixture.origin}/api/open: `
      await expect.poll(() => visit.console.filter((each) => each.includes('US0316'))).toHaveLength(1)
      expect(visit.console.join('\n')).toContain(line)
    })

    test('an event stream opens before the first event', async () => {
      const state = await page.evaluate(`new Promise((resolve) => {
        const source = new EventSource('/api/no-events')
        source.onopen = source.onerror = ({ type }) => resolve(type)
      })`)
      expect(state).toBe('open')
      const type = await page.evaluate<string>(`(async () => {
        const { headers } = await fetch('/api/written-by-hand')
        return headers.get('content-type')
      })()`)
      expect(type).toBe('text/event-stream; charset=utf-8')
    })

    test('an EventSource connects again', async () => {
      const seen = await readCut(`() => new Promise((resolve) => {
        const source = new EventSource('/api/events')
        const seen = []
        source.onmessage = ({ data }) => {
          seen.push(data)
          if (data === 'connection 2') resolve(String(seen))
        }
        source.onerror = () => seen.push('error in state ' + source.readyState)
      })`)
      expect(seen).toBe('connection 1,error in state 0,connection 2')
    })
  })
}

/** The code of the handlers, which the page evaluates. */
const start = `(async () => {
  const { http, sse, HttpResponse } = engine
  globalThis.sent = 0
  let connections = 0
  globalThis.worker = setupWorker(
    http.get('/api/open', () => new HttpResponse(new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('part ' + sent))
        sent += 1
      },
    }))),
    sse('/api/events', ({ client }) => {
      connections += 1
      client.send({ data: 'connection ' + connections, retry: 100 })
      sent += 1
    }),
    sse('/api/no-events', () => {}),
    http.get('/api/written-by-hand', () => {
      const headers = { 'Content-Type': 'text/event-stream; charset=utf-8' }
      return new HttpResponse(new ReadableStream(), { headers })
    }),
  )
  await worker.start({ quiet: true })
})()`

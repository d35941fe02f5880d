import { describe, expect, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestVisit } from './test-browser.ts'

const handlers = `import { http, HttpResponse, passthrough } from '@understudy/engine'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ from: 'another' }), { query: { name: 'b' } }),
  http.get('/api/user', () => {}),
  http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
  http.get('/api/real', () => passthrough()),
  http.get('/api/broken', () => { throw new RangeError('out of range') }),
  http.get('/api/down', () => HttpResponse.error()),
]
`
const document = `<!doctype html>
<title>The trace</title>
<script>
  ask = (url) => fetch(url).then((response) => response.text(), String)
  held = ask('/api/user?name=a')
</script>
`

/** Tests the trace of requests, which localStorage.debug switches on. */
export function testTrace(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, the trace`, () => {
    const served = serveProject(tool, {
      launch: () => driver.launch(),
      fixture: 'test/fixtures/first-line',
      files: { 'src/mocks/handlers.js': handlers, 'index.html': document },
      options: { plugin: { onUnhandledRequest: 'bypass' } },
    })

    /** Visits the page with a value of `localStorage.debug`, and makes requests. */
    async function visitWith(debug: string | undefined, script?: string): Promise<TestVisit> {
      const visit = await served.browser.openVisit()
      if (debug !== undefined) await visit.page.addInitScript(`localStorage.debug = ${JSON.stringify(debug)}`)
      if (script !== undefined) await visit.page.addInitScript(script)
      await visit.page.goto(served.server.origin)
      await visit.page.evaluate('held')
      for (const path of ['real', 'broken', 'down', 'nothing']) await visit.page.evaluate(`ask('/api/${path}')`)
      return visit
    }

    /** Returns the steps of the request for a path, without the request's id, times and positions in files. */
    function stepsOf(lines: readonly string[], path: string): string[] {
      const start = lines.find((line) => line.includes(' start ') && line.includes(path)) ?? ''
      const id = /^log: understudy (\S+)/.exec(start)?.[1] ?? 'no such request'
      return lines
        .filter((line) => line.startsWith(`log: understudy ${id} `))
        .map((line) => line.replace(/^log: understudy \S+ \+[\d.]+ ms +/, '').replaceAll(/ +/g, ' '))
        .map((line) =>
          line.replaceAll(/ \(http\S+?handlers\.js:\d+:\d+\)/g, ' (handlers.js)').replaceAll(served.server.origin, ''),
        )
    }

    test('a request that the gate held is traced from the gate to the response', async () => {
      const visit = await visitWith('app, understudy')
      await expect.poll(() => stepsOf(visit.console, '/api/user')).toHaveLength(8)
      expect(stepsOf(visit.console, '/api/user')).toEqual([
        'start GET /api/user?name=a',
        'gate held the request until mocking was on, then released it',
        'source service worker: by the route table, a handler could match. It asks the page',
        'handler 1 of 6, initial, GET /api/user?name=b (handlers.js): no match, because path matches, query differs: `name=b` expected, `name=a` sent',
        'handler 2 of 6, initial, GET /api/user (handlers.js): match, runs its resolver',
        'resolver GET /api/user: no response, asks the next handler',
        'handler 3 of 6, initial, GET /api/user (handlers.js): match, runs its resolver',
        'mocked 200 OK by GET /api/user (handlers.js)',
      ])
      await visit.close()
    })

    test('the trace says why a request reaches the network, fails or is not intercepted', async () => {
      const visit = await visitWith('*')
      const asked = 'source service worker: by the route table, a handler could match. It asks the page'
      const last = (path: string): string[] => stepsOf(visit.console, path).slice(1)
      await expect.poll(() => last('/api/nothing')).not.toEqual([])
      expect(last('/api/real')).toEqual([
        asked,
        'handler 4 of 6, initial, GET /api/real (handlers.js): match, runs its resolver',
        'passthrough GET /api/real (handlers.js) returned passthrough(): the request goes to the network',
      ])
      expect(last('/api/broken')).toEqual([
        asked,
        'handler 5 of 6, initial, GET /api/broken (handlers.js): match, runs its resolver',
        'resolver threw RangeError: out of range',
        'mocked 500 Internal Server Error by GET /api/broken (handlers.js)',
      ])
      expect(last('/api/down').at(-1)).toContain('GET /api/down')
      expect(last('/api/nothing').slice(0, 2)).toEqual([
        'source service worker: by the route table, no handler could match. It left the request alone',
        'unhandled none of 6 handlers matches: the request goes to the network',
      ])
      await visit.close()
    })

    test('the page answers itself: the trace names this source', async () => {
      const visit = await visitWith(
        'understudy',
        `Object.defineProperty(navigator, 'serviceWorker', { value: undefined })`,
      )
      await expect
        .poll(() => stepsOf(visit.console, '/api/user'))
        .toContain('mocked 200 OK by GET /api/user (handlers.js)')
      expect(stepsOf(visit.console, '/api/user')).toContain('source in the page, without the service worker')
      await visit.close()
    })

    test.each([undefined, 'app', '*,-understudy'])('localStorage.debug is %j: nothing is traced', async (debug) => {
      const visit = await visitWith(debug)
      expect(visit.console.filter((line) => line.startsWith('log: understudy'))).toEqual([])
      // The file that prints may be loaded, because it also finds out why a worker is slow. The limits of sizes keep it out of the first bundle.
      expect(await visit.page.evaluate('held')).toContain('the mock')
      await visit.close()
    })
  })
}

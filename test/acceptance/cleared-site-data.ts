import { afterEach, beforeEach, describe, expect, onTestFailed, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestVisit } from './test-browser.ts'

/** Clears the site data of the origin, as apps do at log-out. */
const logOut = `{ name: 'log-out', configureServer: ({ middlewares }) => {
  middlewares.use('/log-out', (request, response) => {
    response.setHeader('Clear-Site-Data', decodeURIComponent(request.url.slice(2)))
    response.end()
  })
} }, `

const handlers = `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('/api/user', () => HttpResponse.json({ from: 'the mock' }))]
`

/** Tests pages whose server clears the site data, which removes the service worker. */
export function testClearedSiteData(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, the server clears the site data`, () => {
    let visit: TestVisit
    const served = serveProject(tool, {
      launch: () => driver.launch(),
      files: { 'src/mocks/handlers.js': handlers },
      prepare: (project) => project.edit('vite.config.js', 'plugins: [', `plugins: [${logOut}`),
    })
    beforeEach(async () => {
      visit = await served.browser.openVisit()
      onTestFailed(() => console.error(visit.console.join('\n'), served.backend.requests))
      await visit.page.goto(served.server.origin)
      await expect.poll(() => visit.console.join('\n')).toContain('Mocking is on')
      await visit.page.evaluate('first')
      served.backend.forget()
    })
    afterEach(async () => {
      await visit.close()
      served.backend.forget()
    })

    test.for(['"storage"', '"*"'])(
      '%s: the console names each request that reached the network, and the page answers later ones',
      async (directive) => {
        // 20 requests at a time.
        await visit.page.evaluate(`void (globalThis.flood = Promise.all(Array.from({ length: 20 }, async (_, loop) => {
          for (let id = 0; !globalThis.isEnding || id < 40; id += 1) {
            await (await fetch('/api/user?' + loop + '-' + id)).json()
          }
        })))`)
        await visit.page.evaluate(
          `fetch('/log-out?' + encodeURIComponent('${directive}')).then((response) => response.text())`,
        )
        await visit.page.evaluate('void (globalThis.isEnding = true)')
        await visit.page.evaluate('flood')
        const escaped = served.backend.requests.map((line) => line.replace('GET ', served.server.origin))
        const find = (): string[] =>
          visit.console.flatMap((line) => /answer a request for (\S+): it did not reach/.exec(line)?.[1] ?? [])
        await expect.poll(() => find().toSorted()).toEqual(escaped.toSorted())
        served.backend.forget()
        expect(await visit.page.evaluate(`fetch('/api/user').then((r) => r.json()).then(({ from }) => from)`)).toBe(
          'the mock',
        )
        expect(served.backend.requests).toEqual([])
      },
    )
  })
}

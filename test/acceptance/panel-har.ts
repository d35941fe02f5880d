import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { findAccessibilityProblems } from './accessibility.ts'
import { openVisit, type Visit } from './browser.ts'
import type { BuildTool } from './build-tool.ts'
import { serveApp } from './serve-app.ts'

const handlers = `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.post('/api/users', async ({ request }) => {
    return HttpResponse.json({ id: 5, ...(await request.json()) }, { status: 201, headers: { 'x-from': 'the mock' } })
  }),
  http.get('/api/image', () => HttpResponse.arrayBuffer(new Uint8Array([0, 255, 128]), { headers: { 'content-type': 'image/png' } })),
  http.get('/api/down', () => HttpResponse.error()),
]
`

const main = `window.ask = async (path, init) => (await fetch(path, init)).text()
`

/** Tests that the panel's log can be saved as an HTTP archive that other tools read. */
export function testPanelHar(tool: BuildTool): void {
  describe(`${tool.name}, HTTP archives of the panel`, () => {
    const served = serveApp(tool, { 'src/mocks/handlers.js': handlers, 'src/main.js': main })
    let app: Visit

    beforeAll(async () => {
      app = await served.openApp()
    })

    test('the shown requests are saved as a HAR file, from which Playwright answers the same requests', async () => {
      const panel = await served.openPanel(app)
      await panel.getByRole('tab', { name: 'Requests' }).click()
      const create = `ask('/api/users', { method: 'POST', body: '{"name":"Ada"}', headers: { authorization: 'Bearer abc' } })`
      await app.page.evaluate(create)
      await app.page.evaluate(`ask('/api/image')`)
      await app.page.evaluate(`ask('/api/real')`)
      await app.page.evaluate(`ask('/api/down').catch(() => {})`)
      await app.page.evaluate(`ask('/other')`)
      await panel.getByRole('searchbox', { name: 'Filter requests' }).fill('/api/')
      const list = panel.getByRole('listbox', { name: 'Requests' })
      await expect.poll(() => list.getByRole('option').count()).toBe(4)
      expect(await findAccessibilityProblems(panel)).toEqual([])

      const downloading = panel.waitForEvent('download')
      await panel.getByRole('button', { name: 'Save HAR of the shown requests' }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe('requests.har')
      const path = join(served.project.folder, 'requests.har')
      await download.saveAs(path)
      const text = await readFile(path, 'utf8')
      expect(text).not.toContain('Bearer abc')
      const { log } = JSON.parse(text) as {
        log: { entries: { request: { url: string }; response: { status: number } }[] }
      }
      expect(log.entries.map(({ request }) => new URL(request.url).pathname)).toEqual([
        '/api/users',
        '/api/image',
        '/api/real',
        '/api/down',
      ])

      expect(log.entries.map(({ response }) => response.status)).toEqual([201, 200, 200, 0])

      served.backend.forget()
      const replay = await openVisit(served.browser)
      await replay.context.routeFromHAR(path, { url: '**/api/**', notFound: 'abort' })
      await replay.page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: '<p>blank</p>' }))
      await replay.page.goto(`${served.server.origin}/blank`)
      const answers = await replay.page.evaluate(async () => {
        const created = await fetch('/api/users', { method: 'POST', body: '{"name":"Ada"}' })
        const image = await (await fetch('/api/image')).arrayBuffer()
        return {
          created: [created.status, created.headers.get('x-from'), await created.text()],
          image: [...new Uint8Array(image)],
          real: await (await fetch('/api/real')).text(),
        }
      })
      expect(answers).toEqual({
        created: [201, 'the mock', '{"id":5,"name":"Ada"}'],
        image: [0, 255, 128],
        real: '{"from":"the backend"}',
      })
      expect(served.backend.requests).toEqual([])
      await replay.close()
    })

    test('without requests, the button to save is disabled', async () => {
      const panel = await served.openPanel(app)
      await panel.getByRole('tab', { name: 'Requests' }).click()
      await panel.getByRole('searchbox', { name: 'Filter requests' }).fill('no such request')
      const button = panel.getByRole('button', { name: 'Save HAR of the shown requests' })
      await expect.poll(() => button.isDisabled()).toBe(true)
    })
  })
}

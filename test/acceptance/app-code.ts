import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { savingUntil } from './project.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'

/** A handlers module whose last handler matches more than the requests of an API. */
const withPattern = (pattern: string): string => `import { http, HttpResponse } from '@understudy/engine'

const script = (text) => new HttpResponse(text, { headers: { 'Content-Type': 'text/javascript' } })

export const handlers = [
  http.get('/api/handlers', () => HttpResponse.json({ text: '${pattern}' })),
  http.get('/remote.js', () => script("export const remote = 'the mock'")),
  http.get('/remotes/*.js', () => script("export const remote = 'the mock of all'")),
  http.get('/callbacks/:name', ({ params }) => script(params.name + "('the mock')")),
  http.get('/themes/:name', () => new HttpResponse('')),
  http.all('${pattern}', ({ request }) => HttpResponse.json({ text: 'any: ' + new URL(request.url).pathname })),
]
`

const part = (text: string): string => `window.part = '${text}'
if (import.meta.hot) import.meta.hot.accept(() => {})
import.meta.webpackHot?.accept()
`

const main = `import './api/part.js'

window.lazy = async () => (await import('./api/lazy.js')).text
window.work = () => new Promise((resolve) => {
  const worker = new Worker(new URL('./api/worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }) => resolve(data)
  worker.onerror = () => resolve('error')
})
window.ask = async (path) => (await (await fetch(path)).json()).text
`

/** Tests that handlers with wide patterns do not answer requests for the app's own modules and their updates. */
export function testAppCode(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, handlers whose patterns match the app's own code`, () => {
    let visit: TestVisit
    const served = serveProject(tool, {
      launch: () => driver.launch(),
      files: {
        'src/main.js': main,
        'src/api/part.js': part('one'),
        'src/api/lazy.js': "import './nested.js'\nexport const text = 'lazy'\n",
        'src/api/nested.js': 'export {}\n',
        'src/api/worker.js': "import './nested.js'\npostMessage('the worker')\n",
        [handlersFile]: withPattern('*'),
      },
    })
    beforeAll(async () => {
      visit = await served.browser.openVisit()
      await visit.page.goto(served.server.origin)
      await visit.page.waitForFunction('window.ask')
      await visit.page.waitForFunction("ask('/api/handlers')")
    })
    afterAll(() => visit?.close())

    const evaluate = (expression: string): Promise<unknown> => visit.page.evaluate(expression)

    test.for(['*', '/*', '/src/*', '*/api/*', '/src/:folder/:file'])('%s', async (pattern) => {
      const ask = (): Promise<unknown> => evaluate("ask('/api/handlers')")
      // The dev server's client gets the edited modules while the handlers of the previous pattern answer.
      await savingUntil(served.project, handlersFile, withPattern(pattern), ask).toBe(pattern)
      await savingUntil(served.project, 'src/api/part.js', part(pattern), () => evaluate('part')).toBe(pattern)
      const url = pattern.startsWith('/src') ? '/src/api/data' : '/other/api/data'
      expect(await evaluate(`ask('${url}')`)).toBe(`any: ${url}`)
      // A module that was loaded is not requested again, so the page is loaded again.
      await visit.page.reload()
      await visit.page.waitForFunction('window.ask')
      expect(await ask()).toBe(pattern)
      expect(await evaluate('lazy()')).toBe('lazy')
      expect(await evaluate('work()')).toBe('the worker')
      expect(visit.console.filter((line) => line.includes('US0320'))).toEqual([])
    })

    test('a handler that names a file answers', async () => {
      const load = (file: string): string => `Function("return import('${file}')")().then(({ remote }) => remote)`
      expect(await evaluate(load('/remote.js'))).toBe('the mock')
      expect(await evaluate(load('/remotes/one.js'))).toBe('the mock of all')
    })

    test('a handler that does not name the file is named if the server has no such file', async () => {
      const find = (): string[] => visit.console.filter((line) => line.includes('US0324'))
      expect(find()).toEqual([])
      await evaluate(`new Promise((resolve) => {
        document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/themes/dark.css', onload: resolve, onerror: resolve }))
      })`)
      await expect.poll(find).toHaveLength(1)
      expect(find()[0]).toContain('GET /themes/:name')
    })

    test('a handler answers classic scripts without a file name, as with JSONP', async () => {
      const answer = `new Promise((resolve) => {
        globalThis.callback = resolve
        document.head.append(Object.assign(document.createElement('script'), { src: '/callbacks/callback', onerror: () => resolve('error') }))
      })`
      expect(await evaluate(answer)).toBe('the mock')
    })
  })
}

/** Tests that the console shows the developer's lines, although bundlers move code. */
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { rspack, webpack } from './tools.ts'

const handlersFile = 'src/mocks/handlers.js'
const handlers = `import { http, HttpResponse } from '@understudy/engine'

import { more } from './more.js'

export const handlers = [
  // A comment.
  http.get(
    '/api/user',

    () => HttpResponse.json({ name: 'Ada' }),
  ),
  http.get('/api/silent', () => {}),
  http.get('/api/broken', () => {
    throw new Error('Broken.')
  }),
  ...more,
]
`
const more = `import { http, HttpResponse } from '@understudy/engine'

export const more = [http.get('/api/title', () => HttpResponse.json({ title: 'Notes' })), http.put('/api/title', () => HttpResponse.json({}))]
`

describe.for([
  ['the default', webpack],
  ['source-map', webpack],
  ['eval', webpack],
  ['the default', rspack],
  ['eval-source-map', rspack],
] as const)('with the source maps %s', ([devtool, tool]) => {
  let backend: CountingBackend
  let browser: Browser
  let project: Project
  let server: RunningServer

  beforeAll(async () => {
    ;[backend, browser, project] = await Promise.all([
      startBackend(),
      launchBrowser(),
      createProject('test/fixtures/hot', {
        [handlersFile]: handlers,
        'src/mocks/more.js': more,
        'src/main.js':
          'window.ask = async (path) => (await fetch(path)).text()\nwindow.first = window.ask("/api/user")\nwindow.unknown = window.ask("/api/users")\n',
      }),
    ])
    await tool.configure(project, { api: backend.origin })
    if (devtool !== 'the default') {
      await project.edit('webpack.config.js', '\n  entry,\n', `\n  entry,\n  devtool: '${devtool}',\n`)
    }
    server = await tool.start(project)
  })

  afterAll(async () => {
    await Promise.all([browser.close(), server.stop(), backend.close()])
    await project.dispose()
  })

  afterEach(() => project.write(handlersFile, handlers))

  test(`${tool.name}: messages name the lines of the sources, also after an edit`, async () => {
    const { page, close, errors } = await openVisit(browser)
    const printed: string[] = []
    page.on('console', (message) => printed.push(message.text()))
    const ask = (path: string): Promise<string> => page.evaluate<string>(`ask('${path}')`)
    const log = (): string => printed.join('\n')
    // Also what the page asks first.
    await page.goto(server.origin)
    await page.evaluate('unknown')
    await expect.poll(log).toMatch(/Handler GET \/api\/user src\/mocks\/handlers\.js:7:\d+$/m)
    await expect.poll(log).toMatch(/near: GET \/api\/user: .*\n +at src\/mocks\/handlers\.js:7:\d+$/m)
    await ask('/api/title')
    await expect.poll(log).toMatch(/Handler GET \/api\/title src\/mocks\/more\.js:3:\d+$/m)
    await ask('/api/silent')
    await expect
      .poll(log)
      .toMatch(/the handler GET \/api\/silent \(src\/mocks\/handlers\.js:12:\d+\) returned no response/)
    expect(log()).not.toMatch(/(?:webpack-internal|http):\/\/\S+(?:handlers|more|main)\S*:\d+:\d+/)
    await ask('/api/broken')
    await expect.poll(log).toMatch(/the handler GET \/api\/broken \(src\/mocks\/handlers\.js:13:\d+\) threw/)

    await project.edit(handlersFile, '  // A comment', '\n\n  // A comment')
    await expect
      .poll(async () => {
        await ask('/api/user')
        return log()
      })
      .toMatch(/Handler GET \/api\/user src\/mocks\/handlers\.js:9:\d+$/m)
    await page.evaluate("localStorage.debug = 'understudy'")
    await page.reload()
    await page.evaluate('unknown')
    await expect.poll(log).toMatch(/^.* GET \/api\/user \(src\/mocks\/handlers\.js:9:\d+\)/m)
    // The questions to the dev server are not requests of the app.
    expect(log()).not.toContain('__understudy/places')
    expect(errors).toEqual([])
    await close()
  })
})

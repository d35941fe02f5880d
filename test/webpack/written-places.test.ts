/** Tests that the console shows the developer's lines, although bundlers move code. */
import { afterEach, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import { serveProject } from '../acceptance/serve-project.ts'
import { rspack, webpack } from './tools.ts'

const handlersFile = 'src/mocks/handlers.js'
const handlers = `import { http, HttpResponse } from '@understudy/engine'

import { more } from './FOLDER/[id]/@möre.js'

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
  // webpack writes `_` for spaces in the names of evaluated modules. With other source maps, V8 does not read names with spaces.
  const folder = devtool === 'eval' ? '(more files)' : '(more)'
  const text = handlers.replace('FOLDER', folder)
  const served = serveProject(tool, {
    launch: launchBrowser,
    files: {
      [handlersFile]: text,
      [`src/mocks/${folder}/[id]/@möre.js`]: more,
      'src/main.js':
        'window.ask = async (path) => (await fetch(path)).text()\nwindow.first = window.ask("/api/user")\nwindow.unknown = window.ask("/api/users")\n',
    },
    async prepare(project) {
      if (devtool !== 'the default') {
        await project.edit('webpack.config.js', '\n  entry,\n', `\n  entry,\n  devtool: '${devtool}',\n`)
      }
    },
  })

  afterEach(() => served.project.write(handlersFile, text))

  test(`${tool.name}: messages name the lines of the sources, also after an edit`, async () => {
    const { page, close, errors } = await openVisit(served.browser)
    const printed: string[] = []
    page.on('console', (message) => printed.push(message.text()))
    const ask = (path: string): Promise<string> => page.evaluate<string>(`ask('${path}')`)
    const log = (): string => printed.join('\n')
    // Also what the page asks first.
    await page.goto(served.server.origin)
    await page.evaluate('unknown')
    await expect.poll(log).toMatch(/Handler GET \/api\/user src\/mocks\/handlers\.js:7:\d+$/m)
    await expect.poll(log).toMatch(/near: GET \/api\/user: .*\n +at src\/mocks\/handlers\.js:7:\d+$/m)
    await ask('/api/title')
    await expect.poll(log).toContain(`Handler GET /api/title src/mocks/${folder}/[id]/@möre.js:3:`)
    await ask('/api/silent')
    await expect
      .poll(log)
      .toMatch(/the handler GET \/api\/silent \(src\/mocks\/handlers\.js:12:\d+\) returned no response/)
    expect(log()).not.toMatch(/(?:webpack-internal|http):\/\/\S+(?:handlers|m%C3%B6re|möre|main)\S*:\d+:\d+/)
    await ask('/api/broken')
    await expect.poll(log).toMatch(/the handler GET \/api\/broken \(src\/mocks\/handlers\.js:13:\d+\) threw/)

    await served.project.edit(handlersFile, '  // A comment', '\n\n  // A comment')
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

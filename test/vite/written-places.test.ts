/** Tests that the console shows the developer's lines, although Vite generates other lines from TypeScript. */
import { expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import { serveProject } from '../acceptance/serve-project.ts'
import { vite } from './vite.ts'

const handlers = `import { http, HttpResponse } from '@understudy/engine'

interface User {
  name: string
}

import { more } from './(shop)/[id]/@möre files.ts'

export const handlers = [
  // A comment, which is dropped.
  http.get(
    '/api/user',

    () => HttpResponse.json<User>({ name: 'Ada' }),
  ),
  http.get('/api/throws', () => {
    throw new TypeError('No seats')
  }),
  http.get('/api/nothing', () => {}),
  http.get('/api/search?page=1', () => HttpResponse.json({})),
  ...more,
]

await new Promise((resolve) => setTimeout(resolve, 100))
`
const more = `import { http, HttpResponse } from '@understudy/engine'

type Title = { title: string }

export const more = [http.get('/api/title', () => HttpResponse.json<Title>({ title: 'Notes' })), http.put('/api/title', () => HttpResponse.json({}))]
`

const served = serveProject(vite, {
  launch: launchBrowser,
  files: {
    'src/mocks/handlers.ts': handlers,
    'src/mocks/(shop)/[id]/@möre files.ts': more,
    'src/main.js':
      'window.ask = async (path) => (await fetch(path)).text().catch(String)\nwindow.first = window.ask("/api/user")\n',
  },
  async prepare(project) {
    await project.remove('src/mocks/handlers.js')
  },
})

test('requests, and those that no handler matches, name the lines of the sources, also after an edit', async () => {
  const { page, close } = await openVisit(served.browser)
  const printed: string[] = []
  page.on('console', (message) => printed.push(message.text()))
  const ask = (path: string): Promise<string> => page.evaluate<string>(`ask('${path}')`)
  await page.goto(served.server.origin)
  await page.evaluate('first')
  await expect.poll(() => printed.join('\n')).toMatch(/Handler GET \/api\/user \S+\/src\/mocks\/handlers\.ts:11:8$/m)
  await ask('/api/title')
  await expect
    .poll(() => printed.join('\n'))
    .toMatch(/Handler GET \/api\/title \S+\/src\/mocks\/\(shop\)\/\S+files\.ts:5:27$/m)
  await ask('/api/users')
  await expect.poll(() => printed.join('\n')).toMatch(/GET \/api\/user[^]*at \S+\/src\/mocks\/handlers\.ts:11:8$/m)

  // Messages about a handler, also the one that is printed while the module is evaluated.
  for (const path of ['/api/throws', '/api/nothing']) await ask(path).catch(() => {})
  const placeOf = (message: RegExp): string | undefined =>
    message.exec(printed.filter((line) => line.startsWith('[understudy]')).join('\n'))?.[1]
  await expect
    .poll(() => placeOf(/the handler GET \/api\/throws \(\S+(\/src\S+)\) threw/))
    .toBe('/src/mocks/handlers.ts:16:8')
  await expect
    .poll(() => placeOf(/the handler GET \/api\/nothing \(\S+(\/src\S+)\) returned/))
    .toBe('/src/mocks/handlers.ts:19:8')
  await expect
    .poll(() => placeOf(/handler GET \/api\/search\S* \(\S+(\/src\S+)\) has/))
    .toBe('/src/mocks/handlers.ts:20:8')

  await served.project.edit('src/mocks/handlers.ts', '  // A comment', '\n\n  // A comment')
  await expect
    .poll(async () => {
      await ask('/api/user')
      return printed.join('\n')
    })
    .toMatch(/Handler GET \/api\/user \S+\/src\/mocks\/handlers\.ts:13:8$/m)

  // An error in the first line. The overlay names the column that the developer wrote.
  const waiting = '\nawait new Promise((resolve) => setTimeout(resolve, 100))\n'
  await served.project.edit('src/mocks/handlers.ts', waiting, '')
  await served.project.edit('src/mocks/handlers.ts', 'import { http,', 'if (origin) nowhere(); import { http,')
  await page.reload()
  await expect
    .poll(() => page.evaluate<string>('document.querySelector("vite-error-overlay")?.shadowRoot.textContent ?? ""'))
    .toContain('/src/mocks/handlers.ts:1:13')
  await close()
})

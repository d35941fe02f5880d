/** Tests handlers that are fixed while their broken text is compiled. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { chromium } from '../acceptance/chromium.ts'
import { serveProject } from '../acceptance/serve-project.ts'
import type { TestVisit } from '../acceptance/test-browser.ts'
import { vite, vite6, vite7 } from './vite.ts'

const handlersFile = 'src/mocks/handlers.js'

/** A plugin that finishes the second compilation of broken handlers when there is a file `go-on`, and answers the page. */
const slowPlugin = `import { existsSync } from 'node:fs'

let count = 0
export const slow = {
  name: 'slow',
  configureServer({ ws }) {
    ws.on('test:ask', (_data, client) => client.send('test:answer'))
  },
  async transform(code, id) {
    if (!id.includes('handlers.js') || !code.includes('broken')) return
    count += 1
    console.log('compilation ' + count)
    while (count > 1 && !existsSync('go-on')) await new Promise((resolve) => setTimeout(resolve, 10))
  },
}
`

describe.each([vite, vite7, vite6])('$name', (tool) => {
  let visit: TestVisit
  let original: string

  const served = serveProject(tool, {
    launch: () => chromium.launch(),
    files: { 'slow.js': slowPlugin },
    async prepare(project) {
      original = await project.read(handlersFile)
      const config = await project.read('vite.config.js')
      await project.write('vite.config.js', `import { slow } from './slow.js'\n${config}`)
      await project.edit('vite.config.js', 'plugins: [', 'plugins: [slow, ')
    },
  })
  beforeEach(async ({ onTestFailed }) => {
    visit = await served.browser.openVisit()
    const { console: lines } = visit
    onTestFailed(() => console.error([...lines, served.server.process.output.slice(-2000)].join('\n')))
  })
  afterEach(() => visit.close())

  test('the error of the broken text arrives after the fix, and is not shown', async () => {
    const { page } = visit
    const ask = (): Promise<string> => page.evaluate<string>(`globalThis.ask('/api/handlers')`)
    await page.goto(served.server.origin)
    await expect.poll(ask).toBe('handlers 0')

    // The page requests the module again, to get the error of a module that throws.
    await served.project.write(handlersFile, original.replace("'handlers 0' })", "'broken' }"))
    await expect.poll(() => tool.readOverlay(page)).toMatch(/handlers\.js/)
    await served.server.process.untilSaid(/compilation 2/)
    await served.project.write(handlersFile, original.replace('handlers 0', 'handlers 1'))
    await expect.poll(ask).toBe('handlers 1')
    expect(await tool.readOverlay(page)).toBe(undefined)

    await served.project.write('go-on', '')
    await expect.poll(() => visit.console.filter((line) => line.includes('status of 500'))).toHaveLength(2)
    // The server has sent an error before the response, and answers this message after it.
    await page.evaluate(`import('/@vite/client').then(({ createHotContext }) => new Promise((resolve) => {
      const hot = createHotContext('/test.js')
      hot.on('test:answer', resolve)
      hot.send('test:ask')
    }))`)
    expect(await tool.readOverlay(page)).toBe(undefined)

    // An error of the latest text is shown.
    await served.project.write(handlersFile, original.replace("'handlers 0' })", "'broken' }"))
    await expect.poll(() => tool.readOverlay(page)).toMatch(/handlers\.js/)
    await served.project.write(handlersFile, original)
    await expect.poll(ask).toBe('handlers 0')
    await expect.poll(() => tool.readOverlay(page)).toBe(undefined)
  })
})

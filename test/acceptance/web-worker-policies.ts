import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { vite } from '../vite/vite.ts'
import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestVisit } from './test-browser.ts'

/** Vite with a policy for web workers. Their scripts have a separate policy from the page. */
const tool: BuildTool = {
  ...vite,
  async configure(project, options) {
    await vite.configure(project, options)
    await project.edit(
      'vite.config.js',
      'plugins: [',
      `plugins: [{
    name: 'policy-of-web-workers',
    configureServer: ({ middlewares }) => void middlewares.use((request, response, next) => {
      if (request.url.includes('worker_file')) response.setHeader('Content-Security-Policy', 'connect-src ws: wss:')
      next()
    }),
  }, `,
    )
  },
}

/** Tests a web worker whose Content Security Policy allows WebSockets, and forbids requests to its own origin. */
export function testWebWorkerPolicies(driver: BrowserDriver = chromium): void {
  describe(`in ${driver.name}, a web worker with a Content Security Policy`, () => {
    const served = serveProject(tool, {
      launch: () => driver.launch(),
      files: {
        'src/main.js': `window.events = []
new Worker(new URL('./worker.js', import.meta.url)).onmessage = ({ data }) => events.push(data)`,
        'src/worker.js': `const socket = new WebSocket('wss://example.com/chat')
for (const type of ['open', 'message', 'error', 'close']) socket.addEventListener(type, () => postMessage(type))`,
        'src/mocks/handlers.js': `import { ws } from '@understudy/engine'
export const handlers = [ws.link('wss://example.com/chat').addEventListener('connection', ({ client }) => client.send('hello'))]`,
      },
    })

    let visit: TestVisit
    beforeEach(async () => {
      visit = await served.browser.openVisit()
    })
    afterEach(() => visit.close())

    test('its WebSockets fail, and the console of the web worker names the policy', async () => {
      await visit.page.goto(served.server.origin)
      await expect.poll(() => visit.page.evaluate('events')).toEqual(['error', 'close'])
      await expect
        .poll(() => visit.console.join('\n'))
        .toMatch(/Content Security Policy .*connect-src 'self'.*\(US0618\)/)
    })
  })
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, onTestFailed, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'
import { sharingPackages } from './sharing-packages.ts'

/**
 * Tests handlers that import a package that the app does not import. Vite bundles packages, and moves the code that two of them share to
 * a separate file. If it does so for a package that it finds late, it reloads the page.
 */
export function testFirstVisit(tool: BuildTool): void {
  describe.each([
    ['while Vite bundles packages', false],
    ['after Vite has bundled packages', true],
  ])(`${tool.name}, without a cache, the first page opens %s`, (_name, isLate) => {
    const served = serveProject(tool, {
      launch: () => chromium.launch(),
      files: {
        ...sharingPackages,
        'src/main.js': `import text from 'of-the-app'
const { loads = 0 } = sessionStorage
sessionStorage.loads = Number(loads) + 1
globalThis.ask = async (path) => [await (await fetch(path)).text(), text].join()
`,
        'src/mocks/handlers.js': "export { handlers } from './text.js'",
        'src/mocks/text.js': `import { http, HttpResponse } from '@understudy/engine'
import text from 'of-the-handlers'
export const handlers = [http.get('/api/text', () => HttpResponse.text(text))]
`,
      },
    })

    afterEach(() => expect(served.backend.requests).toEqual([]))

    test('it is loaded once, although only the handlers import a package', async () => {
      onTestFailed(() => console.error(served.server.process.output))
      const bundle = join(served.project.folder, 'node_modules/.vite/deps/of-the-app.js')
      await expect.poll(() => !isLate || existsSync(bundle), { timeout: 30_000 }).toBe(true)
      const { page, close } = await served.browser.openVisit()
      await page.goto(served.server.origin)
      const ask = (): Promise<string> => page.evaluate("globalThis.ask('/api/text')")
      expect(await ask()).toBe('the mock, shared,shared')
      expect(await page.evaluate('sessionStorage.loads')).toBe('1')
      await close()
    })
  })
}

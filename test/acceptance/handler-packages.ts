import { afterEach, describe, expect, onTestFailed, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'

/** Returns the files of an installed package whose default export is a text. */
const installed = (name: string, code: string): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js' }),
  [`node_modules/${name}/index.js`]: code,
})

/** The files of two packages that share a third one. */
export const sharingPackages: Record<string, string> = {
  ...installed('shared', "export default 'shared'"),
  ...installed('of-the-app', "export { default } from 'shared'"),
  ...installed('of-the-handlers', "import shared from 'shared'\nexport default `the mock, ${shared}`"),
}

/**
 * Tests handlers that import a package that the app does not import. Vite bundles packages, and moves the code that two of them share to
 * a third file. If it does so for a package that it finds late, it reloads the page.
 */
export function testHandlerPackages(tool: BuildTool): void {
  describe(`${tool.name}, packages that only the handlers import`, () => {
    const served = serveProject(tool, {
      launch: () => chromium.launch(),
      files: {
        ...sharingPackages,
        'src/main.js': `import text from 'of-the-app'
const { loads = 0 } = sessionStorage
sessionStorage.loads = Number(loads) + 1
globalThis.answer = fetch('/api/text').then(async (response) => [await response.text(), text])
`,
        'src/mocks/handlers.js': "export { handlers } from './text.js'",
        'src/mocks/text.js': `import { http, HttpResponse } from '@understudy/engine'
import text from 'of-the-handlers'
export const handlers = [http.get('/api/text', () => HttpResponse.text(text))]
`,
      },
    })

    afterEach(() => expect(served.backend.requests).toEqual([]))

    test('without a cache, the first visit is loaded once', async () => {
      onTestFailed(() => console.error(served.server.process.output))
      const { page, close } = await served.browser.openVisit()
      await page.goto(served.server.origin)
      expect(await page.evaluate('globalThis.answer')).toEqual(['the mock, shared', 'shared'])
      expect(await page.evaluate('sessionStorage.loads')).toBe('1')
      await close()
    })
  })
}

import { describe, expect, test } from 'vitest'

import type { Visit } from '../acceptance/browser.ts'
import { savingUntil } from '../acceptance/project.ts'
import { serveStorybook } from './serve-storybook.ts'

const handlersFile = 'src/mocks/handlers.ts'
const ask = (name: string): string =>
  `globalThis.${name} = fetch('/api/boats').then((response) => response.text(), (error) => 'failed: ' + error.message)\n`

/**
 * Tests requests that the preview makes before the first story, for each builder. The handlers file is missing when Storybook starts: the
 * first test creates it.
 */
export function describeEarlyRequests(sandbox: string): void {
  describe(`requests before the first story in ${sandbox}`, () => {
    let handlers: string
    const files = {
      '.storybook/preview-head.html': `<script>${ask('ofHead')}</script>`,
      '.storybook/early.js': ask('ofPreview'),
    }
    const storybook = serveStorybook(sandbox, files, async (project) => {
      const preview = await project.read('.storybook/preview.ts')
      await project.write('.storybook/preview.ts', `import './early.js'\n${preview}`)
      handlers = await project.read(handlersFile)
      // It must not replace the index of stories, which Storybook requests with `fetch`.
      handlers += `\nhandlers.push(http.all('*', () => HttpResponse.json({})))\n`
      // The worker is ready earlier than the handlers.
      handlers += `\nawait new Promise((resolve) => setTimeout(resolve, 500))\n`
      await project.remove(handlersFile)
    })

    const failed: unknown = expect.stringContaining('failed: ')
    const readEarly = (visit: Visit): Promise<string[]> =>
      visit.page.evaluate(() => {
        const page = globalThis as unknown as { ofHead: Promise<string>; ofPreview: Promise<string> }
        return Promise.all([page.ofHead, page.ofPreview])
      })

    test('are answered when the missing handlers file is created, and fail while it is missing again', async () => {
      const { project } = storybook
      const askSession = ({ page }: Visit): Promise<string> =>
        page
          .evaluate(async () => (await fetch('/api/session', { signal: AbortSignal.timeout(60_000) })).text())
          // The page may reload meanwhile.
          .catch(String)
      const open = async (): Promise<Visit> => {
        const { visit, preview } = await storybook.openProfile()
        await preview.open('components-boatlist--empty')
        // The story has its own handlers.
        await expect.poll(() => preview.text()).toContain('No boats today.')
        return visit
      }
      const first = await open()
      expect(await askSession(first)).toBe('Not Found')
      await first.page.evaluate('globalThis.isSame = true')
      await project.write(handlersFile, handlers)
      await expect.poll(() => askSession(first)).toContain('"name":null')
      // webpack and Rspack reload the page.
      const expected = sandbox === 'storybook-react-vite' ? true : undefined
      expect(await first.page.evaluate('globalThis.isSame')).toBe(expected)

      await project.remove(handlersFile)
      let second = await open()
      // With Vite, open pages keep their handlers. A page or a request that hangs fails the test: the next page could hide it.
      for (;;) {
        const answer = await askSession(second)
        expect(answer).not.toContain('timed out')
        if (answer.includes('Failed to fetch')) break
        await second.close()
        second = await open()
      }
      expect(await readEarly(second)).toEqual([failed, failed])
      await project.write(handlersFile, handlers.replace('?? null', "?? 'Ines'"))
      for (const visit of [second, first]) await expect.poll(() => askSession(visit)).toContain('"name":"Ines"')
    })

    test('are answered by the handlers of the project, on the first visit and later', async () => {
      const { visit, preview } = await storybook.openProfile()
      for (const round of ['first', 'second', 'third']) {
        await preview.open('components-boatlist--default')
        await expect.poll(() => preview.text()).toContain('Petrel')
        const petrel: unknown = expect.stringContaining('Petrel')
        expect(await readEarly(visit), round).toEqual([petrel, petrel])
      }
      expect(visit.errors).toEqual([])
    })

    test('fail if the handlers cannot be loaded, and stories render', async () => {
      const { visit, preview } = await storybook.openProfile()
      await savingUntil(storybook.project, handlersFile, `throw new Error('broken')\n${handlers}`, async () => {
        await preview.open('components-boatlist--empty')
        return visit.console.join()
      }).toContain('Failed to load the handlers of src/mocks/handlers.ts: broken')
      await expect.poll(() => preview.text()).toContain('No boats today.')
      expect(await readEarly(visit)).toEqual([failed, failed])
      await savingUntil(storybook.project, handlersFile, handlers, () =>
        visit.page.evaluate(async () => (await fetch('/api/session')).text()).catch(String),
      ).toContain('"name":null')
    })
  })
}

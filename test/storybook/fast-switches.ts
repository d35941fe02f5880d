import { describe, expect, test } from 'vitest'

import { openVisit } from '../acceptance/browser.ts'
import type { CountingBackend } from '../acceptance/counting-backend.ts'
import { openPreview, type PreviewPage } from './preview-page.ts'
import { serveFolder } from './serve-folder.ts'
import type { BuiltStorybook } from './static-build.ts'

const count = 20

/** The file of {@link fastStories}. */
export const fastStoriesFile = 'src/Fast.stories.tsx'

/** Stories that make four requests each when they mount, to the same paths, with their own handlers. */
export const fastStories = (api: string): string => `import { http, HttpResponse } from '@understudy/engine'
import { useEffect, useState } from 'react'

function Numbers({ of }: { of: number }) {
  const [seen, setSeen] = useState('')
  useEffect(() => {
    let isShown = true
    const ask = async (part: number) => (await fetch('${api}/numbers/' + part)).text()
    Promise.all([ask(0), ask(1), ask(2)]).then(
      (numbers) => isShown && setSeen(numbers.join()),
      (error) => isShown && setSeen(String(error)),
    )
    return () => void (isShown = false)
  }, [])
  return <p>story {of}: {seen}<img alt="" src={'${api}/numbers/picture?' + of} /></p>
}
const create = (of: number) => ({
  args: { of },
  parameters: { handlers: [http.get('${api}/numbers/:part', () => HttpResponse.text(String(of)))] },
})

export default { title: 'Fast', component: Numbers }
${Array.from({ length: count }, (_, index) => `export const S${index} = create(${index})`).join('\n')}
`

/**
 * Tests that no request escapes when stories are switched faster than they are rendered.
 *
 * @param built with {@link fastStories}
 */
export function testFastSwitches(built: BuiltStorybook, getBackend: () => CountingBackend): void {
  describe('fast switches', () => {
    const idOf = (index: number): string => `fast--s-${index % count}`

    async function switchAll(preview: PreviewPage, pause: number): Promise<void> {
      const switched = preview.page.evaluate(
        async ([ids, milliseconds]) => {
          const { __STORYBOOK_ADDONS_CHANNEL__: channel } = globalThis as unknown as {
            __STORYBOOK_ADDONS_CHANNEL__: { emit(name: unknown, value: unknown): void }
          }
          for (const storyId of ids) {
            channel.emit('setCurrentStory', { storyId, viewMode: 'story' })
            await new Promise((resolve) => setTimeout(resolve, milliseconds))
          }
        },
        [Array.from({ length: count * 2 }, (_, index) => idOf(index)), pause] as const,
      )
      // Storybook reloads the page if a story that it leaves does not finish soon.
      expect(await switched.then(() => '', String)).toMatch(/^$|because of a navigation/)
    }

    test.each([0, 5, 30, 110])('%i ms apart: no request of theirs reaches the network', async (pause) => {
      const backend = getBackend()
      const { browser, folder } = built
      const server = await serveFolder(folder, '/')
      const visit = await openVisit(browser)
      const preview = openPreview(visit.page, server.root)
      await preview.open(idOf(0))
      await expect.poll(() => preview.text()).toBe('story 0: 0,0,0')
      backend.forget()
      await switchAll(preview, pause)
      const selectLast = async (): Promise<string> => {
        await preview.select(idOf(7))
        return preview.text()
      }
      // The page may still be reloading.
      await expect.poll(() => selectLast().catch(String)).toBe('story 7: 7,7,7')
      expect(backend.requests).toEqual([])
      await visit.close()
      await server.stop()
    })
  })
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { openVisit, type Visit } from '../acceptance/browser.ts'
import type { Extent } from '../acceptance/build-tool.ts'
import { savingUntil } from '../acceptance/project.ts'
import { openPreview, type PreviewPage } from './preview-page.ts'
import { saveFromPanel } from './save-from-panel.ts'
import { serveStorybook } from './serve-storybook.ts'

const storiesFile = 'src/components/BoatList.stories.tsx'

/** A page of the preview, which tests share. */
export interface SharedPreview {
  readonly visit: Visit
  readonly preview: PreviewPage
  /** Selects a story, and waits until it is rendered. */
  show(id: string): Promise<void>
}

interface SwitchingSettings {
  /** Default: `'all'`. */
  readonly extent?: Extent
  /** Whether the panel saves a handler, if the sandbox has no other tests of the manager. */
  readonly savesHandlers?: boolean
  /** More tests on the page. */
  readonly more?: (page: SharedPreview) => void
}

/** Tests switching between stories, for each builder. The tests share a page, because opening one takes longer than a test. */
export function describeSwitching(
  sandbox: string,
  { extent = 'all', savesHandlers = false, more }: SwitchingSettings = {},
): void {
  describe(`stories in ${sandbox}`, () => {
    const storybook = serveStorybook(sandbox)
    let shared: Visit | undefined
    let visit: Visit
    let preview: PreviewPage

    beforeEach(async () => {
      shared ??= await openVisit(storybook.browser)
      visit = shared
      visit.console.length = 0
      visit.errors.length = 0
      preview = openPreview(visit.page, storybook.root)
    })
    const closePage = async (): Promise<void> => {
      await shared?.close()
      shared = undefined
    }
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await closePage()
    })

    const select = (id: string): Promise<void> =>
      visit.page.url().startsWith(storybook.root) ? preview.select(id) : preview.open(id)
    const show = async (id: string): Promise<void> => {
      await select(id)
      await preview.rendered(id)
    }
    const expectText = async (text: string): Promise<void> => {
      await expect.poll(() => preview.text()).toContain(text)
    }

    test('each story is answered by its own handlers, on the same page', async ({ onTestFinished }) => {
      // The docs page is also the first page of a profile.
      onTestFinished(closePage)
      await preview.open('components-boatlist--failed')
      await expectText('The register is closed.')
      await preview.mark()
      await preview.select('components-boatlist--empty')
      await expectText('No boats today.')
      await preview.select('components-boatlist--default')
      await expectText('Petrel')
      await preview.select('components-boatlist--failed')
      await expectText('The register is closed.')
      expect(await preview.isMarked()).toBe(true)
      expect(visit.errors).toEqual([])
    })

    test('a docs page shows each story with its own responses', async () => {
      await preview.open('components-boatlist--docs')
      await expect
        .poll(() => preview.docs())
        .toMatchObject({
          'components-boatlist--default': expect.stringMatching(/^In the harbour\s+Petrel/),
          'components-boatlist--loading': expect.stringContaining('framed: In the harbour\n\nLoading boats…'),
          'components-boatlist--failed': expect.stringContaining('The register is closed.'),
          'components-boatlist--empty': expect.stringContaining('No boats today.'),
          'components-boatlist--long': expect.stringContaining('Boat 60'),
          'components-boatlist--offline': expect.stringContaining('could not be loaded'),
        })
    })

    test('an edited story answers with its new handlers', async () => {
      await show('components-boatlist--failed')
      await expectText('The register is closed.')
      const before = await storybook.project.read(storiesFile)
      await savingUntil(storybook.project, storiesFile, before.replace('register is closed', 'register is lost'), () =>
        preview.text(),
      ).toContain('The register is lost.')
      await savingUntil(storybook.project, storiesFile, before, () => preview.text()).toContain(
        'The register is closed.',
      )
      await preview.select('components-boatlist--default')
      await expectText('Petrel')
    })

    test('an edited preview keeps the handlers of the story', async () => {
      await show('components-boatlist--failed')
      await expectText('The register is closed.')
      const file = '.storybook/preview.ts'
      const before = await storybook.project.read(file)
      const edited = before.replace("tags: ['autodocs'],", "tags: ['autodocs'],\n  globalTypes: { edited: {} },")
      expect(edited).not.toBe(before)
      const hasIt = async (): Promise<boolean> =>
        visit.page.evaluate(() => {
          const { __STORYBOOK_PREVIEW__: running } = globalThis as unknown as {
            __STORYBOOK_PREVIEW__?: { storyStoreValue?: { projectAnnotations: { globalTypes?: object } } }
          }
          return 'edited' in (running?.storyStoreValue?.projectAnnotations.globalTypes ?? {})
        })
      await savingUntil(storybook.project, file, edited, hasIt).toBe(true)
      await expectText('The register is closed.')
      await preview.select('components-boatlist--empty')
      await expectText('No boats today.')
      await preview.select('components-boatlist--failed')
      await expectText('The register is closed.')
      await savingUntil(storybook.project, file, before, hasIt).toBe(false)
      await expectText('The register is closed.')
    })

    test('edited handlers of the project answer the next requests, without a reload', async () => {
      await show('components-boatlist--default')
      await expectText('Petrel')
      await preview.mark()
      const file = 'src/mocks/handlers.ts'
      const before = await storybook.project.read(file)
      const read = (): Promise<string> => visit.page.evaluate(async () => (await fetch('/api/boats')).text())
      await savingUntil(storybook.project, file, before.replace('Petrel', 'Fulmar'), read).toContain('Fulmar')
      await savingUntil(storybook.project, file, `${before}\nthrow new Error('broken')\n`, async () =>
        visit.console.join(),
      ).toContain('Failed to load the handlers of src/mocks/handlers.ts: broken')
      expect(await read()).toContain('Fulmar')
      // webpack must not wait for the handlers while it holds what they import.
      await storybook.project.write('src/mocks/later.ts', "export const name = 'Curlew'\n")
      const importing = `const { name } = await import('./later')\n${before.replace("name: 'Petrel'", 'name')}`
      await savingUntil(storybook.project, file, importing, read).toContain('Curlew')
      await savingUntil(storybook.project, file, before, read).toContain('Petrel')
      expect(await preview.isMarked()).toBe(true)
    })

    test.runIf(savesHandlers)('the panel saves a handler', async ({ onTestFinished }) => {
      onTestFinished(closePage)
      const { page } = visit
      await page.goto(
        `${storybook.root}?path=/story/components-boatlist--empty&addonPanel=@understudy/storybook-addon/panel`,
      )
      await page.locator('.us-panel').getByText('/api/boats').first().waitFor()
      await saveFromPanel(page, storybook.project)
    })

    test('the function onUnhandledRequest of the handlers module decides about requests that no handler matches', async () => {
      await show('components-boatlist--default')
      await expectText('Petrel')
      const file = 'src/mocks/handlers.ts'
      const before = await storybook.project.read(file)
      const decides = `${before}
export function onUnhandledRequest(request: Request, print: { error(): void }) {
  const { pathname } = new URL(request.url)
  console.log('asked about', pathname)
  if (pathname === '/api/refused') print.error()
}
`
      const askFor = (path: string) => async (): Promise<string> => {
        await visit.page.evaluate(async (url) => fetch(url).catch(() => undefined), path)
        return visit.console.join('\n')
      }
      await savingUntil(storybook.project, file, decides, askFor('/api/let-through')).toContain(
        'asked about /api/let-through',
      )
      expect(await askFor('/api/refused')()).toMatch(/error.*GET \/api\/refused/)
      visit.console.length = 0
      await askFor('/api/let-through')()
      expect(visit.console.join('\n')).not.toMatch(/(?:error|warning).*let-through/)
      await savingUntil(storybook.project, file, before, async () => {
        visit.console.length = 0
        return askFor('/api/let-through')()
      }).not.toContain('asked about')
    })

    test('GraphQL and WebSocket handlers are added and removed with their stories', async () => {
      await show('components-tides--springs')
      await expectText('7.4 m')
      await preview.select('components-tides--no-gauge')
      await expectText('There is no gauge in Saltholm.')
      await preview.select('components-harbourchat--greeting')
      await expectText('Office: Good morning, skipper.')
      await preview.select('components-harbourchat--answers')
      await expectText('Office: We heard: Ahoy')
      await preview.select('components-tides--today')
      await expectText('4.1 m')
    })

    // What follows is code of the preview, which is the same with each builder.
    if (extent === 'main') return

    test('a changed arg changes the responses of the handlers, without a remount', async () => {
      await show('components-boatcard--from-controls')
      await expectText('Petrel')
      await preview.mark()
      for (const name of ['Dipper', 'Curlew', 'Avocet']) {
        await preview.emit('updateStoryArgs', { storyId: 'components-boatcard--from-controls', updatedArgs: { name } })
        await expectText(name)
      }
      await preview.select('components-boatcard--not-found')
      await expectText('No such boat.')
      await preview.select('components-boatcard--nameless')
      await expectText('Unnamed')
      expect(await preview.isMarked()).toBe(true)
    })

    test('a remount plays the story again', async () => {
      await show('components-berthform--full-at-the-second-try')
      await expectText('Berth B12 is yours.')
      // The empty form is visible only until it is played.
      await preview.page.evaluate(() => document.querySelector('#storybook-root > *')?.setAttribute('data-earlier', ''))
      await preview.emit('forceRemount', { storyId: 'components-berthform--full-at-the-second-try' })
      await expect.poll(() => preview.page.locator('[data-earlier]').count()).toBe(0)
      await expectText('Berth B12 is yours.')
      await preview.select('components-berthform--full')
      await expectText('The harbour is full.')
    })

    test('a story that never gets its response neither delays the next story nor reloads the page', async () => {
      await show('components-boatlist--loading')
      await expectText('Loading boats…')
      await preview.mark()
      await preview.select('components-boatlist--default')
      await expectText('Petrel')
      expect(await preview.isMarked()).toBe(true)
      expect(visit.errors).toEqual([])
    })

    test('after many switches with pending requests, the last story has its own responses', async () => {
      await show('components-boatlist--loading')
      await preview.mark()
      for (let round = 0; round < 5; round += 1) {
        await expectText('Loading boats…')
        await preview.select('components-tides--today')
        // The heading appears before the response.
        await expectText('Tides in Saltholm')
        await preview.select('components-boatlist--loading')
      }
      await expectText('Loading boats…')
      await preview.select('components-boatlist--default')
      await expectText('Petrel')
      expect(await preview.isMarked()).toBe(true)
      expect(visit.errors).toEqual([])
    })

    test('a loader that waits forever for a response does not cause a reload at a switch', async () => {
      await select('components-loaders--waits')
      await expect.poll(() => visit.console.join()).toContain('the loader asks')
      await preview.mark()
      await preview.select('components-boatlist--empty')
      await expectText('No boats today.')
      expect(await preview.isMarked()).toBe(true)
    })

    test('the loaders and beforeEach of a story are answered too', async () => {
      await show('components-loaders--answered')
      await expectText('loader: Petrel, beforeEach: Petrel')
    })

    test('pending requests end with their story', async () => {
      await show('components-boatlist--loading')
      await expectText('Loading boats…')
      const ended = visit.page.evaluate(() => fetch('/api/boats').catch((error: Error) => error.name))
      await preview.select('components-boatlist--empty')
      expect(await ended).toBe('AbortError')
      expect(visit.errors).toEqual([])
    })

    test('the next story has no cookies of earlier mocks', async () => {
      await show('components-signin--signs-in')
      await expectText('Signed in as Ines')
      expect(await visit.page.evaluate(() => document.cookie)).toContain('session=Ines')
      await preview.select('components-signin--signed-out')
      await expectText('Password')
      expect(await visit.page.evaluate(() => document.cookie)).not.toContain('session')
      await preview.select('components-signin--wrong-password')
      await expectText('do not match')
    })

    test('a value that is not a handler is reported with story, parameter and group, and the story renders', async () => {
      await show('components-badinput--spread-forgotten')
      await expectText('No boats today.')
      await expect
        .poll(() => visit.console.join('\n'))
        .toContain(
          'Failed to read the handlers of the story "components/BadInput/Spread Forgotten": item 2 of ' +
            'parameters.handlers.boats is an array. Spread it, with three dots: (...handlers).',
        )
      await preview.select('components-badinput--throws')
      await expectText('Petrel')
      await expect
        .poll(() => visit.console.join('\n'))
        .toContain('the function parameters.handlers threw (Error: oops)')
    })

    test('an unhandled request fails a story with onUnhandledRequest: "error"', async () => {
      await select('components-unhandled--fails')
      await expect
        .poll(() => visit.page.locator('#error-message').innerText())
        .toContain('made requests that no handler matches')
    })

    test('stories of a docs page that do not collide stay inline', async () => {
      await select('components-berthform--docs')
      await expect
        .poll(() => preview.docs())
        .toMatchObject({
          'components-berthform--blank': expect.stringMatching(/^Book a berth/),
          'components-berthform--booked': expect.stringMatching(/^Book a berth/),
          'components-berthform--full': expect.stringMatching(/^framed:/),
        })
    })

    test('from a docs page to a story and back, no story removes the handlers of another', async () => {
      // Storybook reloads the page if a switch interrupts the rendering of a story, so wait for each one.
      const expectDocs = async (): Promise<void> => {
        await expect
          .poll(() => preview.docs())
          .toMatchObject({
            'components-boatlist--default': expect.stringContaining('Petrel'),
            'components-boatlist--failed': expect.stringContaining('The register is closed.'),
            'components-boatlist--offline': expect.stringContaining('could not be loaded'),
          })
      }
      await select('components-boatlist--docs')
      await expectDocs()
      for (const [id, text] of [
        ['components-boatlist--failed', 'The register is closed.'],
        ['components-boatlist--default', 'Petrel'],
      ] as const) {
        await preview.select(id)
        await expectText(text)
        await preview.select('components-boatlist--docs')
        await expectDocs()
      }
    })

    more?.({
      get visit() {
        return visit
      },
      get preview() {
        return preview
      },
      show,
    })
  })
}

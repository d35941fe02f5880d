import { chmod } from 'node:fs/promises'
import { join } from 'node:path'

import axe from 'axe-core'
import type { Browser, FrameLocator, Locator } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import { createHeavyProject, type Project } from '../acceptance/project.ts'
import { startStorybook, type RunningStorybook } from './storybook-tool.ts'

const layersFile = 'src/components/Layers.stories.tsx'

/** Handlers on every level, and data that only a panel shows. */
const layers = `import { http, HttpResponse } from '@understudy/engine'
import { understudyOf } from '@understudy/storybook-addon'

interface Boat {
  name: string
}

const petrel: Boat = { name: 'Petrel' }
const picture = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='), (c) => c.charCodeAt(0))

export default {
  title: 'Layers',
  render: () => <p>Layers</p>,
  parameters: { handlers: { tides: http.get('/api/tides', () => HttpResponse.json([])) } },
}

export const All = {
  parameters: {
    handlers: { boats: [http.get('/api/boats', () => HttpResponse.json([petrel]))] },
  },
  play: async (context: object) => {
    understudyOf(context).use(http.get('/api/added', () => HttpResponse.json([])))
  },
}

export const Bodies = {
  parameters: {
    handlers: [
      http.get('/api/boats', () => HttpResponse.json({ boats: [petrel, petrel] })),
      http.get('/api/picture', () => new HttpResponse(picture, { headers: { 'Content-Type': 'image/png' } })),
      http.get('/api/log', () => HttpResponse.text('line of the log\\n'.repeat(150_000))),
      http.get('/api/count/:id', ({ params }) => HttpResponse.json(params)),
    ],
  },
}

export const Broken = {
  loaders: [async () => ({ status: (await fetch('/api/boats')).status })],
  parameters: {
    handlers: [
      http.get('/api/boats', () => {
        throw new Error('no register')
      }),
    ],
  },
}
`

const preview = `import { http, HttpResponse } from '@understudy/engine'

import '../src/harbour.css'

export default {
  tags: ['autodocs'],
  parameters: { handlers: { weather: http.get('/api/weather', () => HttpResponse.json({ wind: 7 })) } },
}
`

/** Tests the panel, the toolbar and the marks in the sidebar, for each builder. */
export function describeManager(sandbox: string): void {
  describe(`the manager of ${sandbox}`, () => {
    let browser: Browser
    let project: Project
    let storybook: RunningStorybook
    let visit: Visit

    beforeAll(async () => {
      browser = await launchBrowser()
      project = await createHeavyProject(sandbox, {
        [layersFile]: layers,
        '.storybook/preview.ts': preview,
        editor: '#!/bin/sh\necho "$@" >> "$(dirname "$0")/opened"\n',
        opened: '',
      })
      await chmod(join(project.folder, 'editor'), 0o755)
      storybook = await startStorybook(sandbox, project, { LAUNCH_EDITOR: join(project.folder, 'editor') })
    })
    afterAll(async () => {
      await storybook?.stop()
      await browser?.close()
      await project?.dispose()
    })

    beforeEach(async () => {
      visit = await openVisit(browser)
    })
    afterEach(async () => {
      await visit.close()
    })

    const open = async (path: string, parameters = '&addonPanel=@understudy/storybook-addon/panel'): Promise<void> => {
      await visit.page.goto(`${storybook.origin}/?path=${path}${parameters}`)
    }
    const frame = (): FrameLocator => visit.page.frameLocator('#storybook-preview-iframe')
    const readStory = (): Promise<string> => frame().locator('#storybook-root').innerText()
    const panel = (): Locator => visit.page.locator('.us-panel')
    const readPanel = (): Promise<string> => panel().innerText()
    const tab = (name: string): Locator => panel().getByRole('tab', { name: new RegExp(`^${name}`) })
    const ask = (path: string, times = 1): Promise<number[]> =>
      frame()
        .locator('body')
        .evaluate(
          async (_body, [url, count]) => {
            const statuses: number[] = []
            for (let index = 0; index < count; index += 1) {
              statuses.push((await fetch(url.replace('*', String(index)))).status)
            }
            return statuses
          },
          [path, times] as const,
        )
    /**
     * Reads the story's mark in the sidebar. Storybook gives its server one second to send the sidebar's state. A page that
     * did not get it in time shows no marks, so this reloads it.
     */
    const readMark = async (id: string): Promise<string> => {
      if (visit.errors.splice(0).some((error) => error.includes('storybook/status'))) await open(`/story/${id}`)
      return visit.page.locator(`[data-item-id="${id}"]`).innerHTML()
    }
    const rowOf = (header: string): Locator =>
      panel()
        .getByRole('listitem')
        .filter({ has: visit.page.getByRole('switch', { name: header, exact: true }) })

    test('the panel shows the handlers in the order in which they answer, and which ones are shadowed', async () => {
      await open('/story/components-boatlist--failed')
      await expect
        .poll(readPanel)
        .toMatch(/story[^]*\/api\/boats[^]*503[^]*1 hit[^]*project[^]*Overridden by the story\.[^]*BoatList/)
      expect(await readPanel()).not.toContain('Shadowed')
      await tab('Handlers 5').waitFor()
      // The title of the panel counts problems, and there are none.
      await visit.page.getByRole('tab', { name: 'Handlers', exact: true }).waitFor()
      expect(await rowOf('GET /api/session').innerText()).toContain('never hit')
      await tab('Requests').click()
      await expect.poll(() => visit.page.getByText('/api/boats').first().isVisible()).toBe(true)
    })

    test('handlers of the story, its component, the preview, the project and run time stand apart', async () => {
      await open('/story/layers--all')
      await panel().getByRole('region', { name: 'runtime' }).waitFor()
      const sections = await panel()
        .getByRole('region')
        .evaluateAll((all) =>
          all.map((section) => [
            section.ariaLabel,
            ...Array.from(section.querySelectorAll('[role=switch]'), (handler) => handler.ariaLabel),
          ]),
        )
      expect(sections).toEqual([
        ['runtime', 'GET /api/added'],
        ['story: boats', 'GET /api/boats'],
        ['component: tides', 'GET /api/tides'],
        ['preview: weather', 'GET /api/weather'],
        ['project', 'GET /api/boats', 'GET /api/session', 'POST /api/session', 'query Tides'],
      ])
    })

    test('groups of handlers collapse', async () => {
      await open('/story/layers--all')
      const ofProject = panel().getByRole('region', { name: 'project' })
      const toggle = ofProject.getByRole('button', { name: /^project/ })
      await ofProject.getByRole('switch').first().waitFor()
      await toggle.click()
      await expect.poll(() => ofProject.getByRole('switch').count()).toBe(0)
      expect(await toggle.getAttribute('aria-expanded')).toBe('false')
      // A filter searches the collapsed groups as well.
      await panel().getByLabel('Filter handlers').fill('Tides')
      await ofProject.getByRole('switch', { name: 'query Tides' }).waitFor()
      await panel().getByLabel('Filter handlers').fill('')
      await toggle.press('Enter')
      await ofProject.getByRole('switch', { name: 'query Tides' }).waitFor()
    })

    test('after a change, the panel offers to remount the story', async () => {
      await open('/story/components-boatlist--default')
      await expect.poll(readStory).toContain('Petrel')
      const remount = panel().getByRole('button', { name: 'Remount story' })
      expect(await remount.count()).toBe(0)
      await rowOf('GET /api/boats').getByRole('button', { name: 'Force an answer of GET /api/boats' }).click()
      await panel().getByRole('combobox', { name: 'Forced answer of GET /api/boats' }).selectOption('500')
      await panel().getByText('status 500').waitFor()
      expect(await readStory()).toContain('Petrel')
      await remount.click()
      await expect.poll(readStory).toContain('could not be loaded')
      await expect.poll(() => remount.count()).toBe(0)
      await panel().getByRole('button', { name: 'Reset all' }).click()
      await remount.click()
      await expect.poll(readStory).toContain('Petrel')
    })

    test('the panel follows the story that is selected', async () => {
      await open('/story/components-boatlist--failed')
      await expect.poll(readPanel).toContain('BoatList.stories')
      await visit.page.getByRole('link', { name: 'Default' }).click()
      await expect.poll(readStory).toContain('Petrel')
      await expect.poll(readPanel).not.toContain('BoatList.stories')
    })

    test('a click on a place opens the editor at the line that was written', async () => {
      await open('/story/components-boatlist--failed')
      const file = 'src/components/BoatList.stories.tsx'
      const lines = (await project.read(file)).split('\n')
      const line = lines.findIndex((text) => text.includes('The register is closed.')) + 1
      await rowOf('GET /api/boats')
        .first()
        .getByRole('button', { name: `Open ${file}:${line} in the editor` })
        .click()
      await expect.poll(() => project.read('opened')).toMatch(new RegExp(`${file} ${line} \\d+\n`))
      await rowOf('POST /api/session')
        .getByRole('button', { name: /^Open src\/mocks\/handlers\.ts:11 / })
        .waitFor()
    })

    test('disabled handlers and overrides are in the link, and apply to the first request', async () => {
      await open('/story/components-boatlist--failed')
      // The project's handler with that name may be added before the story's.
      const ofStory = panel().getByRole('region', { name: 'story' })
      await ofStory.getByRole('switch', { name: 'GET /api/boats' }).click()
      await expect.poll(() => decodeURIComponent(visit.page.url())).toMatch(/understudy=story[^]*=off/)
      const ofProject = panel().getByRole('region', { name: 'project' })
      await ofProject.getByRole('button', { name: 'Force an answer of GET /api/boats' }).click()
      const answer = ofProject.getByRole('combobox', { name: 'Forced answer of GET /api/boats' })
      await answer.selectOption('409')
      await ofProject.getByText('status 409').waitFor()
      await ofProject.getByRole('slider', { name: 'Delay of GET /api/boats' }).press('ArrowRight')
      await ofProject.getByText('+100 ms').waitFor()
      await expect.poll(() => decodeURIComponent(visit.page.url())).toContain('409.delay-100')
      const link = visit.page.url()

      const other = await openVisit(browser)
      await other.page.goto(link)
      const otherStory = other.page.frameLocator('#storybook-preview-iframe').locator('#storybook-root')
      await expect.poll(() => otherStory.innerText()).toContain('could not be loaded')
      const otherPanel = other.page.locator('.us-panel')
      await expect.poll(() => otherPanel.getByRole('switch').first().getAttribute('aria-checked')).toBe('false')
      await other.page.getByText('status 409').waitFor()
      await other.close()

      await answer.selectOption('Network error')
      await expect.poll(() => decodeURIComponent(visit.page.url())).toContain('error')
      await panel().getByRole('button', { name: 'Reset all' }).click()
      await expect.poll(() => visit.page.url()).not.toContain('understudy=')
      await visit.page.getByRole('link', { name: 'Default' }).click()
      await expect.poll(readStory).toContain('Petrel')
    })

    test('a link also works without a panel, on docs pages, and for the next story', async () => {
      const forced = `&panel=false&understudy=${encodeURIComponent('project+GET+%2Fapi%2Fboats=503')}`
      await open('/story/components-boatlist--default', forced)
      // The story makes one request, so the shown answer is the first one.
      await expect.poll(readStory).toContain('could not be loaded')
      expect(await panel().isVisible()).toBe(false)
      await visit.page.getByRole('link', { name: 'Empty' }).click()
      await expect.poll(readStory).toContain('No boats today.')
      await visit.page.getByRole('link', { name: 'Default' }).click()
      await expect.poll(readStory).toContain('could not be loaded')
      const ofStories = `&panel=false&understudy=${encodeURIComponent('story+GET+%2Fapi%2Fboats=error')}`
      await open('/docs/components-boatlist--docs', ofStories)
      const framed = frame().locator('#story--components-boatlist--empty iframe').contentFrame()
      await expect.poll(() => framed.locator('#storybook-root').innerText()).toContain('could not be loaded')
      const inline = frame().locator('#story--components-boatlist--default--primary')
      await expect.poll(() => inline.innerText()).toContain('Petrel')
    })

    test('requests are logged with their bodies: JSON, images, and long ones', async () => {
      await open('/story/layers--bodies')
      await rowOf('GET /api/picture').waitFor()
      for (const path of ['/api/boats', '/api/picture', '/api/log']) expect(await ask(path)).toEqual([200])
      await tab('Requests').click()
      const option = (name: string): Locator => panel().getByRole('option', { name: new RegExp(name) })
      await option('/api/boats').click()
      await panel().getByText('"Petrel"').first().waitFor()
      await option('/api/picture').click()
      await expect
        .poll(() =>
          panel()
            .locator('img')
            .evaluate((image: HTMLImageElement) => image.naturalWidth),
        )
        .toBe(1)
      await option('/api/log').click()
      await expect.poll(readPanel).toMatch(/text\/plain · cut: the first \d+(?:\.\d)? MB[^]*line of the log/)
    })

    test('of 500 requests those in sight are rendered, and the keyboard reaches the last', async () => {
      await open('/story/layers--bodies')
      await rowOf('GET /api/count/:id').waitFor()
      await tab('Requests').click()
      await ask('/api/count/*', 500)
      const options = panel().getByRole('listbox', { name: 'Requests' }).getByRole('option')
      await panel().getByText('500 requests').waitFor()
      await expect.poll(() => options.first().textContent()).toContain('/api/count/499')
      expect(await options.count()).toBeLessThan(80)
      await options.first().focus()
      await visit.page.keyboard.press('End')
      await expect.poll(() => panel().locator(':focus').textContent()).toContain('/api/count/0')
    })

    test('a story with an unhandled request is marked in the sidebar, and the panel shows the nearest handlers', async () => {
      await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await open('/story/components-unhandled--fails')
      await expect.poll(() => tab('Unhandled 1').isVisible()).toBe(true)
      await visit.page.getByRole('tab', { name: /^Handlers 1 unhandled request$/ }).waitFor()
      await expect.poll(() => readMark('components-unhandled--fails')).toMatch(/warning/i)
      await tab('Unhandled').click()
      await expect.poll(readPanel).toMatch(/GET \/api\/boats[^]*2 segments expected, 3 sent/)
      await panel().getByRole('button', { name: 'Copy the handler' }).click()
      await panel().getByRole('button', { name: 'Copied the handler' }).waitFor()
      expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toContain(
        "http.get('/api/boats/GBR-7', () => HttpResponse.json({}))",
      )
    })

    // The stack names the place in webpack's bundle.
    test.skipIf(sandbox.includes('webpack'))('messages name the lines of the sources', async () => {
      const printed: string[] = []
      visit.page.on('console', (message) => printed.push(message.text()))
      const handlersFile = (await project.read('src/mocks/handlers.ts')).split('\n')
      const line = handlersFile.findIndex((text) => text.includes("http.get('/api/boats'")) + 1
      await open('/story/components-unhandled--fails')
      await expect.poll(() => frame().locator('body').innerText()).toContain(`/src/mocks/handlers.ts:${line}:`)
      const stories = (await project.read(layersFile)).split('\n')
      const storyLine = stories.findIndex((text) => text.includes("http.get('/api/count/:id'")) + 1
      await open('/story/layers--bodies')
      await rowOf('GET /api/count/:id').waitFor()
      await ask('/api/counts/1')
      await expect.poll(() => printed.join('\n')).toContain(`/Layers.stories.tsx:${storyLine}:`)
    })

    test('a story with a resolver that threw, and one with invalid handlers, are marked', async () => {
      await open('/story/layers--broken')
      await visit.page.getByRole('tab', { name: /^Handlers \d+ errors?$/ }).waitFor()
      await expect.poll(() => readMark('layers--broken')).toMatch(/warning/i)
      await open('/story/components-badinput--spread-forgotten')
      await expect.poll(() => readMark('components-badinput--spread-forgotten')).toMatch(/warning/i)
      await expect
        .poll(readPanel)
        .toContain(
          'Failed to read the handlers of the story "components/BadInput/Spread Forgotten": item 2 of ' +
            'parameters.handlers.boats is an array.',
        )
      await expect.poll(readStory).toContain('No boats today.')
    })

    test('the toolbar changes the network of a story, and of the stories of a docs page', async () => {
      const choose = async (name: RegExp): Promise<void> => {
        await visit.page.getByRole('button', { name: /^Network condition/ }).click()
        await visit.page.getByRole('option', { name }).click()
      }
      await open('/story/components-boatlist--default')
      await expect.poll(readStory).toContain('Petrel')
      await choose(/^Server errors/)
      await expect.poll(readStory).toContain('could not be loaded: Internal Server Error')
      // The condition is not a handler of the project.
      await tab('Handlers 5').waitFor()
      expect(await readPanel()).not.toMatch(/\btoolbar\n|Shadowed|Overridden/)
      await tab('Requests').click()
      await panel()
        .getByRole('option', { name: /\/api\/boats/ })
        .click()
      await panel().getByText('with a forced status: 500').waitFor()
      await panel().getByRole('button', { name: 'Close the request' }).click()
      await choose(/^Slow/)
      await visit.page.getByText('The toolbar makes the network slow').waitFor()
      await expect.poll(readStory).toContain('Petrel')
      await choose(/^Offline/)
      await expect.poll(readStory).toContain('could not be loaded')
      await expect.poll(() => visit.page.getByText('The toolbar makes the network offline').isVisible()).toBe(true)
      await visit.page.getByRole('link', { name: 'Docs' }).first().click()
      const story = frame().locator('#story--components-boatlist--default--primary')
      await expect.poll(() => story.innerText()).toContain('could not be loaded')
      await choose(/^Network as mocked/)
      await expect.poll(() => story.innerText()).toContain('Petrel')
      const framed = frame().locator('#story--components-boatlist--empty iframe').contentFrame()
      await expect.poll(() => framed.locator('#storybook-root').innerText()).toContain('No boats today.')
    })

    test('the keyboard reaches every handler, and forces an answer', async () => {
      await open('/story/components-boatlist--failed')
      await panel()
        .getByRole('button', { name: /BoatList\.stories\.tsx:20/ })
        .first()
        .waitFor()
      await tab('Handlers').focus()
      const press = async (...keys: string[]): Promise<string> => {
        for (const key of keys) await visit.page.keyboard.press(key)
        return visit.page.evaluate(() => {
          const { activeElement: element } = document
          return `${element?.getAttribute('role') ?? element?.tagName} ${element?.ariaLabel ?? element?.textContent}`
        })
      }
      expect(await press('Tab', 'Tab')).toBe('BUTTON story 1')
      expect(await press('ArrowDown')).toBe('switch GET /api/boats')
      expect(await press('End')).toBe('switch query Tides')
      expect(await press('Home', 'ArrowDown', 'Tab')).toMatch(/^BUTTON Open src\/components\/BoatList\.stories\.tsx:20/)
      expect(await press('Tab')).toMatch(/^BUTTON Force/)
      expect(await press('Enter', 'Tab')).toMatch(/Forced answer of GET \/api\/boats/)
    })

    test('axe finds nothing in the panel, in the light and in the dark, wide and narrow', async () => {
      for (const theme of ['light', 'dark'] as const) {
        await visit.page.emulateMedia({ colorScheme: theme })
        for (const width of [1280, 420]) {
          await visit.page.setViewportSize({ width, height: 800 })
          await open('/story/components-unhandled--fails')
          if (width < 600) await visit.page.getByRole('button', { name: /addon panel/i }).click()
          await expect.poll(() => tab('Unhandled 1').isVisible()).toBe(true)
          await visit.page.evaluate(axe.source)
          for (const name of ['Handlers', 'Requests', 'Unhandled']) {
            await tab(name).click()
            const found = await visit.page.evaluate(async () => {
              const { axe: engine } = globalThis as unknown as { axe: typeof axe }
              const { violations } = await engine.run('.us-panel')
              return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
            })
            expect(found, `${name}, ${theme}, ${width}`).toEqual([])
            const { scrollWidth, clientWidth } = await panel().evaluate((element) => element)
            expect(scrollWidth, `${name}, ${width}`).toBe(clientWidth)
          }
        }
      }
    })

    test('the log begins with the story', async () => {
      await open('/story/components-boatlist--failed')
      await tab('Requests 1').waitFor()
      await visit.page.getByRole('link', { name: 'Empty' }).click()
      await expect.poll(readStory).toContain('No boats today.')
      await tab('Requests 1').click()
      await expect
        .poll(() => panel().getByRole('listbox', { name: 'Requests' }).getByRole('option').allInnerTexts())
        .toEqual([expect.stringMatching(/^200\s+GET\s+\/api\/boats/)])
    })

    test('a story without requests says what to do', async () => {
      await open('/story/layers--bodies')
      await rowOf('GET /api/picture').waitFor()
      await tab('Requests').click()
      await panel().getByText('No requests yet').waitFor()
      await tab('Unhandled').click()
      await panel().getByText('No unhandled requests').waitFor()
    })
  })
}

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, FrameLocator, Locator } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../acceptance/project.ts'
import { startStorybook, type RunningStorybook } from '../storybook-tool.ts'
import { layers, layersFile, moreExports, preview, scenariosFile, scenarioStories } from './stories.ts'

/**
 * A running Storybook. All tests share a page of its manager, because opening it takes longer than a test. So a test shows its story, and
 * removes what would change the next one: overrides, filters.
 */
export interface Manager {
  /** The folder of the Storybook in `sandboxes`. */
  readonly sandbox: string
  readonly browser: Browser
  readonly project: Project
  /** The URL of the manager, with a slash at the end. */
  readonly root: string
  /** The page of the current test. */
  readonly visit: Visit
  /** Loads the manager. */
  open(path: string, parameters?: string): Promise<void>
  /** Selects a story, and the panel's list of handlers. Loads the manager only if the page does not show it. */
  show(id: string): Promise<void>
  /** Closes the page. The next test gets a new one, in a new profile. */
  closePage(): Promise<void>
  /** The preview's frame. */
  frame(): FrameLocator
  readStory(): Promise<string>
  panel(): Locator
  readPanel(): Promise<string>
  tab(name: string): Locator
  /**
   * Sends requests in the preview, and returns their statuses.
   *
   * @param path its `*` is replaced by the number of the request
   */
  ask(path: string, times?: number): Promise<number[]>
  /** Reads the story's mark in the sidebar. */
  readMark(id: string): Promise<string>
  /** The item of a handler in the panel. */
  rowOf(header: string): Locator
}

/** Starts Storybook before the tests of the current `describe`. */
export function openManager(sandbox: string): Manager {
  let browser: Browser
  let project: Project
  let storybook: RunningStorybook
  let visit: Visit | undefined

  beforeAll(async () => {
    browser = await launchBrowser()
    project = await createHeavyProject(sandbox, {
      [layersFile]: layers,
      [scenariosFile]: scenarioStories,
      '.storybook/preview.ts': preview,
      editor: '#!/bin/sh\necho "$@" >> "$(dirname "$0")/opened"\n',
      opened: '',
    })
    await chmod(join(project.folder, 'editor'), 0o755)
    const handlersFile = 'src/mocks/handlers.ts'
    await project.write(handlersFile, (await project.read(handlersFile)) + moreExports)
    storybook = await startStorybook(sandbox, project, { LAUNCH_EDITOR: join(project.folder, 'editor') })
  })
  afterAll(async () => {
    await storybook?.stop()
    await browser?.close()
    await project?.dispose()
  })

  beforeEach(async () => {
    visit ??= await openVisit(browser)
  })
  afterEach(async ({ task }) => {
    // A failed test may leave a dialog or an override.
    if (task.result?.state === 'fail') await manager.closePage()
  })

  const manager: Manager = {
    sandbox,
    get browser() {
      return browser
    },
    get project() {
      return project
    },
    get root() {
      return `${storybook.origin}/`
    },
    get visit() {
      if (!visit) throw new Error('Only a test has a page.')
      return visit
    },
    async open(path, parameters = '&addonPanel=@understudy/storybook-addon/panel') {
      await manager.visit.page.goto(`${storybook.origin}/?path=${path}${parameters}`)
    },
    async show(id) {
      if (!manager.visit.page.url().startsWith(storybook.origin)) return manager.open(`/story/${id}`)
      // Like a link in a story. The sidebar has no links to stories of collapsed components.
      await manager
        .frame()
        .locator('body')
        .evaluate((_body, storyId) => {
          const { __STORYBOOK_ADDONS_CHANNEL__: channel } = globalThis as unknown as {
            __STORYBOOK_ADDONS_CHANNEL__: { emit(name: string, value: unknown): void }
          }
          channel.emit('selectStory', { storyId })
        }, id)
      await manager.visit.page.waitForURL((url) => url.searchParams.get('path') === `/story/${id}`)
      await manager.tab('Handlers').click()
    },
    async closePage() {
      await visit?.close()
      visit = undefined
    },
    frame: () => manager.visit.page.frameLocator('#storybook-preview-iframe'),
    readStory: () => manager.frame().locator('#storybook-root').innerText(),
    panel: () => manager.visit.page.locator('.us-panel'),
    readPanel: () => manager.panel().innerText(),
    tab: (name) => manager.panel().getByRole('tab', { name: new RegExp(`^${name}`) }),
    ask: (path, times = 1) =>
      manager
        .frame()
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
        ),
    async readMark(id) {
      // Storybook gives its server one second to send the sidebar's state. A page that did not get it in time shows no
      // marks. Reload it.
      if (manager.visit.errors.splice(0).some((error) => error.includes('storybook/status')))
        await manager.open(`/story/${id}`)
      return manager.visit.page.locator(`[data-item-id="${id}"]`).innerHTML()
    },
    rowOf: (header) =>
      manager
        .panel()
        .getByRole('listitem')
        .filter({ has: manager.visit.page.getByRole('switch', { name: header, exact: true }) }),
  }
  return manager
}

import { chmod } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, FrameLocator, Locator } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../acceptance/project.ts'
import { startStorybook, type RunningStorybook } from '../storybook-tool.ts'
import { layers, layersFile, moreExports, preview } from './stories.ts'

/** A running Storybook. Each test gets a new page of its manager, unless its `describe` shares one. */
export interface Manager {
  /** The folder of the Storybook in `sandboxes`. */
  readonly sandbox: string
  readonly browser: Browser
  readonly project: Project
  /** The page of the current test. */
  readonly visit: Visit
  open(path: string, parameters?: string): Promise<void>
  /**
   * Opens a page before the tests of the current `describe`, which share it. Opening the manager takes longer than most tests.
   *
   * @param prepare opens a story
   */
  sharePage(prepare: () => Promise<void>): void
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

/** Starts Storybook before the tests of the current `describe`, and opens a page before each. */
export function openManager(sandbox: string): Manager {
  let browser: Browser
  let project: Project
  let storybook: RunningStorybook
  let visit: Visit
  let shared: Visit | undefined

  beforeAll(async () => {
    browser = await launchBrowser()
    project = await createHeavyProject(sandbox, {
      [layersFile]: layers,
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
    visit = shared ?? (await openVisit(browser))
  })
  afterEach(async () => {
    if (visit !== shared) await visit.close()
  })

  const manager: Manager = {
    sandbox,
    get browser() {
      return browser
    },
    get project() {
      return project
    },
    get visit() {
      return visit
    },
    async open(path, parameters = '&addonPanel=@understudy/storybook-addon/panel') {
      await visit.page.goto(`${storybook.origin}/?path=${path}${parameters}`)
    },
    sharePage(prepare) {
      beforeAll(async () => {
        shared = await openVisit(browser)
        visit = shared
        await prepare()
      })
      afterAll(async () => {
        await shared?.close()
        shared = undefined
      })
    },
    frame: () => visit.page.frameLocator('#storybook-preview-iframe'),
    readStory: () => manager.frame().locator('#storybook-root').innerText(),
    panel: () => visit.page.locator('.us-panel'),
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
      if (visit.errors.splice(0).some((error) => error.includes('storybook/status'))) await manager.open(`/story/${id}`)
      return visit.page.locator(`[data-item-id="${id}"]`).innerHTML()
    },
    rowOf: (header) =>
      manager
        .panel()
        .getByRole('listitem')
        .filter({ has: visit.page.getByRole('switch', { name: header, exact: true }) }),
  }
  return manager
}

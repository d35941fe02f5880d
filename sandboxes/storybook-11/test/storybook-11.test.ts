/** Tests the pre-release of Storybook 11: handlers answer their stories in development and in a build, and the panel shows them. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect } from 'vitest'

import { launchBrowser } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { testBoatList } from '../../../test/storybook/boat-list.ts'
import { serveFolder } from '../../../test/storybook/serve-folder.ts'
import { buildStorybook, startStorybook } from '../../../test/storybook/storybook-tool.ts'

const sandbox = 'storybook-11'
let browser: Browser
let project: Project

beforeAll(async () => {
  ;[browser, project] = await Promise.all([launchBrowser(), createHeavyProject(sandbox)])
})
afterAll(async () => {
  await browser?.close()
  await project?.dispose()
})

describe.each(['development', 'a build'])('in %s', (kind) => {
  let root: string
  let stop: () => Promise<unknown>

  beforeAll(async () => {
    if (kind === 'development') {
      const storybook = await startStorybook(sandbox, project)
      root = `${storybook.origin}/`
      stop = () => storybook.stop()
      return
    }
    const { code, output } = await buildStorybook(sandbox, project)
    expect(code, output).toBe(0)
    const server = await serveFolder(join(project.folder, 'storybook-static'), '/')
    root = server.root
    stop = () => Promise.resolve(server.stop())
  })
  afterAll(() => stop?.())

  testBoatList({
    browser: () => browser,
    root: () => root,
    hasDocs: false,
    savesIn: () => (kind === 'development' ? project : undefined),
  })
})

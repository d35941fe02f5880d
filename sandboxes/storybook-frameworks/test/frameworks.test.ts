/** Tests more frameworks of Storybook: each starts, handlers answer its stories, and the panel shows them. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { runTool } from '../../../test/acceptance/run-tool.ts'
import { findForTest } from '../../../test/find-chromium.ts'
import { testBoatList } from '../../../test/storybook/boat-list.ts'
import { startStorybook, type RunningStorybook } from '../../../test/storybook/storybook-tool.ts'

const sandbox = 'storybook-frameworks'
const modules = join(import.meta.dirname, '../node_modules')
let browser: Browser
let project: Project

beforeAll(async () => {
  browser = await launchBrowser()
  project = await createHeavyProject(sandbox)
})
afterAll(async () => {
  await browser?.close()
  await project?.dispose()
})

describe.each(['web-components', 'sveltekit', 'nextjs'])('the framework %s', (framework) => {
  let storybook: RunningStorybook

  beforeAll(async () => {
    storybook = await startStorybook(sandbox, { ...project, folder: join(project.folder, framework) })
  })
  afterAll(() => storybook?.stop())

  testBoatList({
    browser: () => browser,
    root: () => `${storybook.origin}/`,
    // Handlers that a story adds in `beforeEach` do not answer for the story above it.
    ...(framework === 'web-components' && {
      moreDocs: { 'boatlist--default': /^Petrel/, 'boatlist--from-before-each': /^framed:[^]*Shearwater/ },
    }),
  })

  // The runner opens the stories of any framework.
  test.runIf(framework === 'web-components')(
    "Storybook's test runner plays the stories with their handlers",
    async () => {
      const folder = join(project.folder, framework)
      const script = join(modules, '@storybook/test-runner/dist/test-storybook.js')
      const env = { UNDERSTUDY_CHROMIUM: findForTest() ?? '', STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' }
      const tool = runTool(script, ['--url', storybook.origin], { folder, env })
      const code = await tool.exit
      expect(tool.output).toMatch(/Tests:\s+4 passed, 4 total/)
      expect(code, tool.output).toBe(0)
    },
  )
})

test('portable stories in Jest are answered by their handlers, and print no requests', async () => {
  const folder = join(project.folder, 'nextjs')
  const tool = runTool(join(modules, 'jest/bin/jest.js'), [], { folder, env: { CI: '1' } })
  const code = await tool.exit
  expect(tool.output).toMatch(/Tests:\s+3 passed, 3 total/)
  expect(tool.output).not.toMatch(/console\.|\[understudy\]/)
  expect(code, tool.output).toBe(0)
})

/** Tests stories that run as tests: with Storybook's test runner, and as portable stories in Jest. */
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { runTool } from '../../../test/acceptance/run-tool.ts'
import { findForTest } from '../../../test/find-chromium.ts'
import { startStorybook } from '../../../test/storybook/storybook-tool.ts'

const sandbox = 'storybook-frameworks'
const modules = join(import.meta.dirname, '../node_modules')
let project: Project

beforeAll(async () => {
  project = await createHeavyProject(sandbox)
})
afterAll(() => project?.dispose())

test("Storybook's test runner plays the stories with their handlers", async ({ onTestFinished }) => {
  const folder = join(project.folder, 'web-components')
  const storybook = await startStorybook(sandbox, { ...project, folder })
  onTestFinished(() => storybook.stop())
  const tool = runTool(join(modules, '@storybook/test-runner/dist/test-storybook.js'), ['--url', storybook.origin], {
    folder,
    env: { UNDERSTUDY_CHROMIUM: findForTest() ?? '', STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' },
  })
  const code = await tool.exit
  expect(tool.output).toMatch(/Tests:\s+4 passed, 4 total/)
  expect(code, tool.output).toBe(0)
})

test('portable stories in Jest are answered by their handlers, and print no requests', async () => {
  const folder = join(project.folder, 'nextjs')
  const tool = runTool(join(modules, 'jest/bin/jest.js'), [], { folder, env: { CI: '1' } })
  const code = await tool.exit
  expect(tool.output).toMatch(/Tests:\s+3 passed, 3 total/)
  expect(tool.output).not.toMatch(/console\.|\[understudy\]/)
  expect(code, tool.output).toBe(0)
})

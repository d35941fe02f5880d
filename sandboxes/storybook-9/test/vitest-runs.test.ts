/** Tests the stories in Vitest 3, whose jsdom has classes that Node's `fetch` does not accept. */
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { runTool } from '../../../test/acceptance/run-tool.ts'
import { findForTest } from '../../../test/find-chromium.ts'

let project: Project

beforeAll(async () => {
  project = await createHeavyProject('storybook-9')
})
afterAll(() => project?.dispose())

test.for([
  ['the Vitest addon runs the stories with their handlers', 'stories'],
  ['portable stories are answered in jsdom', 'portable'],
] as const)('%s', async ([_name, name]) => {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
  const env = { UNDERSTUDY_CHROMIUM: findForTest() ?? '', STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' }
  const tool = runTool(vitest, ['run', '--project', name], { folder: project.folder, env })
  const code = await tool.exit
  expect(tool.output).toMatch(/Tests\s+\d+ passed/)
  expect(code, tool.output).toBe(0)
})

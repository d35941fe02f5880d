import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { runTool } from '../../../test/acceptance/run-tool.ts'
import { findChromium } from '../../../test/find-chromium.ts'

let project: Project

beforeAll(async () => {
  project = await createHeavyProject('storybook-react-vite')
})
afterAll(() => project.dispose())

async function runVitest(name: string): Promise<{ code: number | null; output: string }> {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
  const env = { UNDERSTUDY_CHROMIUM: findChromium()?.path ?? '', STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' }
  const tool = runTool(vitest, ['run', '--project', name], { folder: project.folder, env })
  return { code: await tool.exit, output: tool.output }
}

test('the Vitest addon runs the stories with their handlers, and plays them', async () => {
  const { code, output } = await runVitest('stories')
  expect(output).toMatch(/Tests\s+2\d passed/)
  expect(output).not.toContain('failed')
  expect(code, output).toBe(0)
})

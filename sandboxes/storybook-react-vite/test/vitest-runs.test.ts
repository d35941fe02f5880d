import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { runTool } from '../../../test/acceptance/run-tool.ts'
import { findForTest } from '../../../test/find-chromium.ts'

let project: Project

beforeAll(async () => {
  project = await createHeavyProject('storybook-react-vite')
})
afterAll(() => project.dispose())

async function runVitest(name: string, ...filter: string[]): Promise<{ code: number | null; output: string }> {
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
  const env = { UNDERSTUDY_CHROMIUM: findForTest() ?? '', STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' }
  const tool = runTool(vitest, ['run', '--project', name, ...filter], { folder: project.folder, env })
  return { code: await tool.exit, output: tool.output }
}

test('the Vitest addon runs the stories with their handlers, and fails those with an unhandled request and the policy "error"', async () => {
  await project.edit('src/components/Unhandled.stories.tsx', "'!autodocs', '!test'", "'!autodocs'")
  // A package that no story imports. Vite must find it before it runs the tests: otherwise, it reloads them, and they fail.
  const handlers = await project.read('src/mocks/handlers.ts')
  await project.write('src/mocks/handlers.ts', `${handlers}\nimport '@apollo/client/link/batch-http'\n`)
  const { code, output } = await runVitest('stories')
  expect(output).not.toContain('reload')
  expect(output).toMatch(/Tests\s+2 failed \| 34 passed \(36\)/)
  expect(output).toContain('The story "components/Unhandled/Fails" made requests that no handler matches')
  expect(output).toContain('No handler matches GET /api/late')
  expect(code).toBe(1)
})

test('a setup file that sets annotations without the addon gets a warning, and one that sets those of the addon does not', async ({
  onTestFinished,
}) => {
  const config = await project.read('vitest.config.ts')
  // Also after a failure: other tests run in this project.
  onTestFinished(() => project.write('vitest.config.ts', config))
  const setUps = [
    ['.storybook/without.setup.ts', '[preview]'],
    ['.storybook/with.setup.ts', '[addon, preview]'],
  ] as const
  for (const [file, annotations] of setUps) {
    await project.write(
      file,
      `import { setProjectAnnotations } from '@storybook/react-vite'
import * as addon from '@understudy/storybook-addon/preview'

import preview from './preview'

void addon
setProjectAnnotations(${annotations})
`,
    )
  }
  // Vite finds the imports of the setup files only when they run, and reloads the tests once it has optimized them.
  const optimized = "optimizeDeps: { include: ['@storybook/react-vite'] }, test: { name: 'stories',"
  const setupFiles = JSON.stringify(setUps.map(([file]) => file))
  await project.write(
    'vitest.config.ts',
    config
      .replace(/test: \{\s+name: 'stories',/, optimized)
      .replace("name: 'stories',", `name: 'stories', setupFiles: ${setupFiles},`),
  )
  const { output } = await runVitest('stories', 'src/components/BoatList.stories.tsx')
  const warning = 'Failed to mock requests from stories: this setup file calls setProjectAnnotations without the addon'
  // One file of tests, for which each setup file runs once.
  expect(output.split(warning), output).toHaveLength(2)
  expect(output, output.slice(-2000)).toMatch(/Tests\s+\d+ passed/)
})

test('portable stories are answered in jsdom', async () => {
  const { code, output } = await runVitest('portable')
  expect(output).toMatch(/Tests\s+\d+ passed/)
  expect(code, output).toBe(0)
})

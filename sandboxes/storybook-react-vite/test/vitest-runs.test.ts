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

test('the Vitest addon runs the stories with their handlers, and plays them', async () => {
  const { code, output } = await runVitest('stories')
  expect(output).toMatch(/Tests\s+34 passed \(34\)/)
  expect(output).not.toContain('failed')
  expect(code, output).toBe(0)
})

test('the Vitest addon fails a story with an unhandled request and the policy "error"', async () => {
  const file = 'src/components/Unhandled.stories.tsx'
  await project.edit(file, "'!autodocs', '!test'", "'!autodocs'")
  const { code, output } = await runVitest('stories', file)
  expect(output).toContain('The story "components/Unhandled/Fails" made requests that no handler matches')
  expect(output).toContain('No handler matches GET /api/late')
  expect(output).toMatch(/Tests\s+2 failed/)
  expect(code).toBe(1)
})

test.for([
  ['without the addon', '[preview]', true],
  ['with the addon', '[addon, preview]', false],
] as const)(
  'a set-up file that sets annotations %s gets a warning only without the addon',
  async ([_name, annotations, isWarned], { onTestFinished }) => {
    const config = await project.read('vitest.config.ts')
    // Also after a failure: other tests run in this project.
    onTestFinished(async () => {
      await project.write('vitest.config.ts', config)
      await project.remove('.storybook/vitest.setup.ts')
    })
    await project.write(
      '.storybook/vitest.setup.ts',
      `import { setProjectAnnotations } from '@storybook/react-vite'
import * as addon from '@understudy/storybook-addon/preview'

import preview from './preview'

void addon
setProjectAnnotations(${annotations})
`,
    )
    // Vite finds the imports of the set-up file only when it runs, and reloads the tests once it has optimized them.
    const optimized = "optimizeDeps: { include: ['@storybook/react-vite'] }, test: { name: 'stories',"
    await project.write(
      'vitest.config.ts',
      config
        .replace(/test: \{\s+name: 'stories',/, optimized)
        .replace("name: 'stories',", "name: 'stories', setupFiles: ['.storybook/vitest.setup.ts'],"),
    )
    const { output } = await runVitest('stories', 'src/components/BoatList.stories.tsx')
    expect(
      output.includes(
        'Failed to mock the requests of stories: this set-up file calls setProjectAnnotations without the addon',
      ),
    ).toBe(isWarned)
    expect(output, output.slice(-2000)).toMatch(/Tests\s+\d+ passed/)
  },
)

test('portable stories are answered in jsdom', async () => {
  const { code, output } = await runVitest('portable')
  expect(output).toMatch(/Tests\s+\d+ passed/)
  expect(code, output).toBe(0)
})

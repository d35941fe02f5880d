import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { runTool } from '../../../test/acceptance/run-tool.ts'

let project: Project

beforeAll(async () => {
  project = await createHeavyProject('sveltekit')
})

afterAll(() => project.dispose())

test('a build has nothing of the mocks', async () => {
  const vite = join(import.meta.dirname, '../node_modules/vite/bin/vite.js')
  const tool = runTool(vite, ['build'], { folder: project.folder })
  expect(await tool.exit, tool.output).toBe(0)

  const built = join(project.folder, 'build')
  const files = (await readdir(built, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(10)
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name)
    expect(await readFile(file, 'latin1'), file).not.toMatch(/understudy|A mocked title/)
  }
})

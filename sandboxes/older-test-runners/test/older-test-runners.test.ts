/** Tests older versions of test tools than `@understudy/vite-plugin` supports. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { runTool } from '../../../test/acceptance/run-tool.ts'
import { runVitestSuite } from '../../../test/migration/run-suite.ts'

const sandbox = join(import.meta.dirname, '..')
const modules = join(sandbox, 'node_modules')

/** Returns the folder of a workspace's package: its own, or the hoisted one. */
async function findPackage(workspace: string, name: string): Promise<{ folder: string; version: string }> {
  for (const folder of [join(sandbox, workspace, 'node_modules', name), join(modules, name)]) {
    const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
    if (manifest) return { folder, version: (JSON.parse(manifest) as { version: string }).version }
  }
  throw new Error(`Failed to find ${name} of ${workspace}. Install sandboxes/older-test-runners.`)
}

test.each([
  ['1', '22', 'vitest-1'],
  ['1', '23', 'vitest-1-jsdom-23'],
  ['2', '25', 'vitest-2'],
  ['3', '26', 'vitest-3'],
])('Vitest %s with jsdom %s answers every client', async (major, jsdomMajor, workspace) => {
  const vitest = await findPackage(workspace, 'vitest')
  const jsdom = await findPackage(workspace, 'jsdom')
  expect([vitest.version.split('.')[0], jsdom.version.split('.')[0]]).toEqual([major, jsdomMajor])
  // The workspace is Vitest's root: Vitest 1 loads itself and jsdom from there.
  const { code, output, tests } = await runVitestSuite(join(vitest.folder, 'vitest.mjs'), join(sandbox, workspace))
  expect(Object.values(tests), output).toEqual(Array.from({ length: 13 }, () => 'passed'))
  expect(code, output).toBe(0)
})

test('vite-node answers', async () => {
  const tool = runTool(join(modules, 'vite-node/vite-node.mjs'), ['src/run-by-vite-node.ts'], { folder: sandbox })
  expect(await tool.exit, tool.output).toBe(0)
  expect(tool.output).toContain('{"name":"Ada"}')
})

test.each([['build'], ['serve']])('Vite 5 says that the plugin needs a newer one: vite %s', async (command) => {
  const tool = runTool(join(modules, 'vite/bin/vite.js'), [command], { folder: join(sandbox, 'app') })
  expect(await tool.exit, tool.output).toBe(1)
  expect(tool.output).toContain(
    'Failed to set up mocking: this project runs Vite 5 or earlier, and @understudy/vite-plugin needs Vite 6 or later.',
  )
  expect(tool.output).not.toContain('TypeError')
})

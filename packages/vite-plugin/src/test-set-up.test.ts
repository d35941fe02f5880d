import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as vite8 from 'vite'
import { createServer, resolveConfig, type Plugin } from 'vite'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { expect, onTestFinished, test } from 'vitest'

import { createRoot } from './testing/create-root.ts'
import { understudy } from './understudy.ts'

interface TestConfig {
  setupFiles: string[]
  sequence: { setupFiles?: string }
  browser: object
}

/** The used part of Vitest's hook. */
type Hook = (context: { project: { vite: object; config: TestConfig } }) => void

/** Stands for the plugin that the addon adds to Storybook's configuration. */
const addon: Plugin = { name: '@understudy/storybook-addon' }

const resolve = (plugins: readonly Plugin[]): ReturnType<typeof resolveConfig> =>
  resolveConfig({ configFile: false, plugins: [...plugins] }, 'serve')

test('of projects that share the plugin, those without stories get the setup file', async () => {
  const shared = understudy()
  // Vitest resolves all configurations before it calls the hook.
  const resolved = [await resolve(shared), await resolve([...shared, addon])]
  const counts = resolved.map((config) => {
    const tests: TestConfig = { setupFiles: [], sequence: {}, browser: {} }
    const context = { project: { vite: { config }, config: tests } }
    for (const { configureVitest } of shared) (configureVitest as Hook | undefined)?.(context)
    return tests.setupFiles.length
  })
  expect(counts).toEqual([1, 0])
})

test.each([
  ['has the gate', [], true],
  ['has no gate in Storybook, whose addon mocks it', [addon], false],
])('a page %s', async (_name, others, hasGate) => {
  const server = await createServer({
    root: await createRoot(),
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] },
    plugins: [...understudy({ handlers: 'handlers.js' }), ...others],
  })
  const page = await server.transformIndexHtml('/', '<!doctype html><title>App</title>')
  await server.close()
  expect(page.includes('understudy')).toBe(hasGate)
})

test.each([
  ['6', vite6 as unknown as typeof vite8],
  ['7', vite7 as unknown as typeof vite8],
  ['8', vite8],
])('Vite %s finds the packages that the handlers import before a test runs in a browser', async (_version, vite) => {
  // Vite takes a path with parentheses for a pattern.
  const root = join(await createRoot(), 'app (copy)')
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await writeFile(join(root, 'package.json'), '{}')
  await writeFile(join(root, 'index.html'), '<!doctype html><title>App</title>')
  await writeFile(join(root, 'src/mocks/handlers.ts'), "import './users.ts'\nexport const handlers = []")
  await writeFile(join(root, 'src/mocks/users.ts'), "import 'fast-check'")
  const server = await vite.createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [...understudy(), { name: 'vitest' }],
    server: { middlewareMode: true, ws: false, watch: null },
  })
  onTestFinished(() => server.close())
  // Vite 7 does not finish to close while it optimizes what a page has requested.
  const find = (): string[] => Object.keys(server.environments.client.depsOptimizer?.metadata.optimized ?? {})
  await expect.poll(find).toContain('fast-check')
})

test.each([
  ['without handlers', {}],
  ['with invalid options', { handlers: 5 as unknown as string }],
])('%s, Vitest starts', async (_case, options) => {
  await expect(resolve([...understudy(options), { name: 'vitest' }])).resolves.toBeDefined()
})

import { createServer, resolveConfig, type Plugin } from 'vite'
import { expect, test } from 'vitest'

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

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as vite8 from 'vite'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { expect, onTestFinished, test } from 'vitest'

import { createRoot } from '../testing/create-root.ts'
import { understudy } from '../understudy.ts'

test.each([
  ['6', vite6 as unknown as typeof vite8],
  ['7', vite7 as unknown as typeof vite8],
  ['8', vite8],
])('Vite %s finds the packages that the handlers import when it serves a page', async (_version, { createServer }) => {
  const root = await createRoot()
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await writeFile(join(root, 'src/mocks/handlers.ts'), "import './users.ts'\nexport const handlers = []")
  await writeFile(join(root, 'src/mocks/users.ts'), "import 'fast-check'")
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: understudy(),
    server: { middlewareMode: true, ws: false, watch: null },
  })
  onTestFinished(() => server.close())
  // No page requests the handlers.
  await server.transformIndexHtml('/', '<!doctype html><title>App</title>')
  // Vite 7 does not finish to close while it bundles what was requested.
  const find = (): string[] => Object.keys(server.environments.client.depsOptimizer?.metadata.optimized ?? {})
  await expect.poll(find).toContain('fast-check')
})

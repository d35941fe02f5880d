import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as vite8 from 'vite'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { expect, onTestFinished, test } from 'vitest'

import { configuration } from './configuration.ts'
import type { Project } from './project.ts'
import { createRoot } from './testing/create-root.ts'
import { understudy } from './understudy.ts'

test.each([
  ['Vite 5', undefined],
  ['Vite 5 in Vitest 2, which adds an entry', { ssr: { resolve: { conditions: [] } } }],
])('%s is refused with the reason', (_name, environments) => {
  const { configResolved } = configuration({} as Project)
  const config = { environments } as unknown as vite8.ResolvedConfig
  expect(() => (configResolved as (given: vite8.ResolvedConfig) => void)(config)).toThrow('needs Vite 6 or later')
})

test.each([
  ['6', vite6 as unknown as typeof vite8],
  ['7', vite7 as unknown as typeof vite8],
  ['8', vite8],
])(
  'Vite %s finds the packages that the handlers import before a page loads them',
  async (_version, { createServer }) => {
    // Vite takes a path with parentheses for a pattern.
    const root = join(await createRoot(), 'app (copy)')
    await mkdir(join(root, 'src/mocks'), { recursive: true })
    await writeFile(join(root, 'package.json'), '{}')
    await writeFile(join(root, 'index.html'), '<!doctype html><title>App</title>')
    await writeFile(join(root, 'src/mocks/handlers.ts'), "import './users.ts'\nexport const handlers = []")
    await writeFile(join(root, 'src/mocks/users.ts'), "import 'fast-check'")
    const server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: understudy(),
      server: { middlewareMode: true, ws: false },
    })
    onTestFinished(() => server.close())
    // Vite 7 does not finish to close while it optimizes what a page has requested.
    const find = (): string[] => Object.keys(server.environments.client.depsOptimizer?.metadata.optimized ?? {})
    await expect.poll(find).toContain('fast-check')
  },
)

test('without handlers, and with invalid options, a server starts', async () => {
  for (const options of [{}, { handlers: 5 as unknown as string }]) {
    const root = await createRoot()
    const config = { root, configFile: false as const, logLevel: 'silent' as const, plugins: understudy(options) }
    await expect(vite8.resolveConfig(config, 'serve')).resolves.toBeDefined()
  }
})

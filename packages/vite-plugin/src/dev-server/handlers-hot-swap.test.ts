/** Tests for which files of the handlers' folder pages reload. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createServer, type ViteDevServer } from 'vite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { UnderstudyOptions } from '../options.ts'
import { createRoot } from '../testing/create-root.ts'
import { understudy } from '../understudy.ts'

let root: string
let server: ViteDevServer | undefined

beforeEach(async () => {
  root = await createRoot()
  await mkdir(join(root, 'src/mocks'), { recursive: true })
  await writeFile(join(root, 'src/mocks/handlers.ts'), 'export const handlers = []')
})

afterEach(async () => {
  await server?.close()
})

test.each<[file: string, options: UnderstudyOptions, reloads: boolean]>([
  ['src/mocks/handlers.test.ts', {}, false],
  ['src/mocks/handlers.stories.tsx', {}, false],
  ['src/mocks/handlers.json', {}, false],
  ['src/mocks/handlers.ts', {}, true],
  ['src/mocks/handlers.mjs', {}, true],
  ['src/mocks/handlers/index.ts', {}, true],
  ['mocks/handlers.js', {}, true],
  ['src/api.ts', { handlers: 'src/api.ts' }, true],
  ['src/api.ts', { handlers: './src/api' }, true],
  ['src/api.test.ts', { handlers: './src/api' }, false],
  ['src/mocks/handlers.ts', { handlers: './src/api' }, false],
])('a new file %s with %j: pages reload: %s', async (file, options, reloads) => {
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [understudy(options)],
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { middlewareMode: true, ws: false },
  })
  const send = vi.spyOn(server.ws, 'send')
  server.watcher.emit('add', join(root, file))
  expect(send.mock.calls.some(([payload]) => (payload as { type?: string }).type === 'full-reload')).toBe(reloads)
})

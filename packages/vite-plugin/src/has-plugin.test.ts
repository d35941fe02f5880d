import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import * as vite8 from 'vite'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { understudy } from './understudy.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'understudy-plugins-'))
  await writeFile(join(root, 'index.html'), '<!doctype html><title>App</title>')
  await writeFile(join(root, 'handlers.js'), 'export const handlers = []')
})
afterEach(() => rm(root, { recursive: true, force: true }))

test.each([
  ['6', vite6 as unknown as typeof vite8],
  ['7', vite7 as unknown as typeof vite8],
  ['8', vite8],
])('the project may have a plugin without a name, which Vite %s accepts', async (_version, { createServer, build }) => {
  const configuration = (): vite8.InlineConfig => ({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [understudy({ handlers: 'handlers.js' }), { transform() {} } as unknown as vite8.Plugin],
  })
  const server = await createServer({ ...configuration(), server: { middlewareMode: true, ws: false } })
  const page = await server.transformIndexHtml('/', '<!doctype html><title>App</title>')
  await server.close()
  expect(page).toContain('virtual:understudy/bootstrap')
  await expect(build({ ...configuration(), build: { write: false } })).resolves.toBeDefined()
})

/** Tests the panel while its package is being replaced by another version, with a copy of the package. */
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { serveMiddleware } from '../testing/serve-middleware.ts'
import type { createPanelMiddleware } from './create-panel-middleware.ts'

let folder: string
let server: Server
let origin: string
const failures: unknown[] = []

beforeEach(async () => {
  const packageFolder = join(import.meta.dirname, '../..')
  const parent = join(packageFolder, '../../.tmp')
  await mkdir(parent, { recursive: true })
  folder = await mkdtemp(join(parent, 'panel-'))
  for (const name of ['package.json', 'dist']) {
    await cp(join(packageFolder, name), join(folder, name), { recursive: true })
  }
  const copy = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'dist/server.js')).href)) as {
    createPanelMiddleware: typeof createPanelMiddleware
  }
  const middleware = copy.createPanelMiddleware({
    base: '/',
    root: folder,
    locate: () => Promise.resolve(undefined),
    findHandlers: () => ({ path: join(folder, 'handlers.ts'), name: 'handlers.ts' }),
  })
  failures.length = 0
  // The server of Next.js never ends a response after an error.
  const served = await serveMiddleware((request, response) => {
    middleware(request, response, () => response.writeHead(404).end())
  }, failures)
  ;({ server, origin } = served)
})

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

async function get(name: string): Promise<[number, string]> {
  const response = await fetch(`${origin}/__understudy/${name}`)
  return [response.status, await response.text()]
}

test('files that are missing get an error, and are served when they exist again', async () => {
  await rename(join(folder, 'dist'), join(folder, 'away'))
  for (const name of ['panel.js', 'dock.js', 'page/chunk.js']) {
    expect(await get(name)).toEqual([
      503,
      expect.stringMatching(/^Failed to serve the panel: .+\. Restart the dev server, if the package was updated\.$/),
    ])
  }
  expect(failures).toEqual([])
  await rename(join(folder, 'away'), join(folder, 'dist'))
  for (const name of ['panel.js', 'dock.js']) expect((await get(name))[0]).toBe(200)
})

test('handlers can be saved when the code that saves exists again', async () => {
  const token = /understudy-token" content="([^"]+)"/.exec((await get(''))[1])?.[1] ?? ''
  const undo = async (): Promise<unknown> => {
    const body = JSON.stringify({ action: 'undo', id: 'unknown' })
    const headers = { origin, 'x-understudy-token': token }
    const answer = await fetch(`${origin}/__understudy/save`, { method: 'POST', headers, body })
    return answer.json()
  }
  await rename(join(folder, 'dist'), join(folder, 'away'))
  expect(await undo()).toEqual({ error: expect.stringContaining('handler-saving') as unknown })
  await rename(join(folder, 'away'), join(folder, 'dist'))
  expect(await undo()).toEqual({ error: expect.stringContaining('US0849') as unknown })
})

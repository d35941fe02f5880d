import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { createServer, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { understudy } from './understudy.ts'

/**
 * A monorepo as pnpm installs it: each package finds only its own dependencies. It is outside the repository, where no folder above
 * it contains the engine.
 */
let monorepo: string
let server: ViteDevServer | undefined

beforeAll(async () => {
  monorepo = await realpath(await mkdtemp(join(tmpdir(), 'understudy-monorepo-')))
  await write('pnpm-workspace.yaml', 'packages: [apps/*, packages/*]')
  await write(
    'packages/mocks/handlers.ts',
    `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('http://backend.test/user', () => HttpResponse.text('Ada'))]`,
  )
  await link('packages/mocks', '@understudy/engine', '../../engine')
  await link('apps/web', '@understudy/vite-plugin', '..')
  await write('apps/web/index.html', '<!doctype html><title>App</title>')
  await write(
    'apps/web/render.ts',
    `export const render = async () => (await fetch('http://backend.test/user')).text()`,
  )
  await write('apps/bare/index.html', '<!doctype html><title>App</title>')
})

afterEach(async () => {
  await server?.close()
  server = undefined
})

afterAll(() => rm(monorepo, { recursive: true, force: true }))

test.each(['web', 'bare'])('the page of an app without the engine gets it from the plugin (%s)', async (app) => {
  const { environments } = await serve(app)
  const bootstrap = await environments.client.transformRequest('virtual:understudy/bootstrap')
  expect(bootstrap?.code).toContain('createMocking')
})

test('requests of a server without the engine are mocked', async () => {
  const { ssrLoadModule } = await serve('web')
  const { render } = (await ssrLoadModule('/render.ts')) as { render(): Promise<string> }
  expect(await render()).toBe('Ada')
})

test('Vite prepares the engine from where it is', async () => {
  const { config } = await serve('web')
  expect(config.optimizeDeps.include).toContain('@understudy/vite-plugin > @understudy/engine')
  expect(config.optimizeDeps.include).not.toContain('@understudy/engine')
})

async function serve(app: string): Promise<ViteDevServer> {
  server = await createServer({
    root: join(monorepo, 'apps', app),
    configFile: false,
    logLevel: 'silent',
    plugins: [understudy({ handlers: '../../packages/mocks/handlers.ts' })],
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false },
  })
  return server
}

async function write(path: string, text: string): Promise<void> {
  const file = join(monorepo, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

async function link(from: string, name: string, to: string): Promise<void> {
  const path = join(monorepo, from, 'node_modules', name)
  await mkdir(dirname(path), { recursive: true })
  await symlink(join(import.meta.dirname, to), path, 'junction')
}

import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { build, type Plugin } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { viteFinal } from './vite.ts'

/** Two apps outside the repository, where no folder above them contains the engine. */
let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'understudy-monorepo-')))
  const path = join(folder, 'with/node_modules/@understudy/engine')
  await mkdir(dirname(path), { recursive: true })
  await symlink(join(import.meta.dirname, '../../../engine'), path, 'junction')
  await mkdir(join(folder, 'without'))
  await writeFile(join(folder, 'package.json'), '{}')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('an app that installs the engine loads it once', () => {
  expect(dedupeIn('with')).toEqual(['react', '@understudy/engine'])
})

test('Vite does not look for the engine in an app that does not install it', () => {
  expect(dedupeIn('without')).toEqual(['react'])
})

test('a build calls no hook of the plugin for modules of the app', async () => {
  const root = join(folder, 'built')
  await mkdir(root)
  await writeFile(join(root, 'index.html'), '<!doctype html><script type="module" src="/a.js"></script>')
  await writeFile(join(root, 'a.js'), "import './b.js'\nconsole.log('a')")
  await writeFile(join(root, 'b.js'), "console.log('b')")
  const [own, ...others] = viteFinal({ root }, { configDir: join(root, '.storybook') }).plugins as Plugin[]
  const called: string[] = []
  for (const name of ['resolveId', 'load', 'transform'] as const) {
    const hook = own?.[name] as { handler: (...args: unknown[]) => unknown }
    const { handler } = hook
    hook.handler = function (this: unknown, ...args) {
      called.push(`${name} ${String(args[0])}`)
      return handler.apply(this, args)
    }
  }
  await build({ root, configFile: false, logLevel: 'silent', plugins: [own, ...others], build: { write: false } })
  expect(called).toEqual([])
})

function dedupeIn(app: string): string[] | undefined {
  const config = { root: join(folder, app), resolve: { dedupe: ['react'] } }
  return viteFinal(config, { configDir: join(folder, app, '.storybook') }).resolve?.dedupe
}

import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

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

function dedupeIn(app: string): string[] | undefined {
  const config = { root: join(folder, app), resolve: { dedupe: ['react'] } }
  return viteFinal(config, { configDir: join(folder, app, '.storybook') }).resolve?.dedupe
}

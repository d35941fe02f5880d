import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { relock } from './heavy-sandboxes.ts'

test('a lockfile with URLs that an interrupted installation has left does not get the update', async ({
  onTestFinished,
}) => {
  const root = await mkdtemp(join(tmpdir(), 'understudy-relock-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const folder = join(root, 'sandbox')
  const lock = JSON.stringify({ name: 'sandbox', lockfileVersion: 3, packages: { '': { name: 'sandbox' } } })
  for (const name of ['sandbox', 'engine']) await mkdir(join(root, name))
  for (const [file, content] of [
    ['engine/package.json', JSON.stringify({ name: 'engine', version: '1.0.0' })],
    ['sandbox/package.json', JSON.stringify({ name: 'sandbox', dependencies: { engine: 'file:../engine' } })],
    ['sandbox/package-lock.json', lock],
    ['sandbox/npm-shrinkwrap.json', lock],
  ] as const) {
    await writeFile(join(root, file), content)
  }
  await relock({ name: 'sandbox', folder })
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as { packages: object }
  expect(Object.keys(packages)).toContain('node_modules/engine')
})

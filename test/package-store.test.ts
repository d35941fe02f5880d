import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { readLock, type Lock, type LockedPackage } from './lockfile.ts'
import { createPackageStore, type PackageStore } from './package-store.ts'

const run = promisify(execFile)

let root: string
let store: PackageStore
let lock: Lock

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'understudy-store-'))
  store = createPackageStore(join(root, 'store'))
  const { packages } = await readLock(join(import.meta.dirname, '..'))
  const own = { version: '1.0.0', resolved: 'file:../own', bin: { own: 'bin/own.js' } }
  const names = ['ms', 'semver', '@jridgewell/sourcemap-codec', 'fsevents']
  const entries = names.map((name) => [name, packages[`node_modules/${name}`]] as const)
  const toVersion = (entry: LockedPackage | undefined): string => entry?.version ?? ''
  const { fsevents = '', ...versions } = Object.fromEntries(entries.map(([name, entry]) => [name, toVersion(entry)]))
  const renamed = `npm:ms@${versions['ms']}`
  const dependencies = { ...versions, renamed, own: 'file:../own' }
  const manifest = { name: 'app', version: '1.0.0', dependencies, optionalDependencies: { fsevents } }
  lock = {
    name: 'app',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': manifest,
      ...Object.fromEntries(entries.map(([name, entry]) => [`node_modules/${name}`, entry ?? {}])),
      'node_modules/renamed': { ...packages['node_modules/ms'], name: 'ms' },
      'node_modules/own': own,
    },
  } as Lock
  await write('own/package.json', JSON.stringify({ name: 'own', version: '1.0.0', bin: own.bin, files: ['bin'] }))
  await write('own/bin/own.js', '#!/usr/bin/env node\n')
  await write('own/notes.txt', 'not packed')
  for (const app of ['by-npm', 'by-store', 'other']) {
    await write(`${app}/package.json`, JSON.stringify(manifest))
    await write(`${app}/package-lock.json`, JSON.stringify(lock))
    await write(`${app}/.npmrc`, 'install-links=true\n')
  }
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

/** Returns the files of a folder: their modes, and their texts or the targets of their links. */
async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory() && entry.name !== '.package-lock.json')
  return Object.fromEntries(
    await Promise.all(
      files.map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        const content = entry.isSymbolicLink()
          ? `-> ${await readlink(path)}`
          : `${((await stat(path)).mode & 0o777).toString(8)} ${await readFile(path, 'utf8')}`
        return [path.slice(folder.length + 1), content] as const
      }),
    ),
  )
}

test('a lockfile is installed as by npm ci', { timeout: 120_000 }, async () => {
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: join(root, 'by-npm') })
  await write('by-store/node_modules/left-over/index.js', '')
  await store.install(join(root, 'by-store'), lock)
  const installed = await readTree(join(root, 'by-store/node_modules'))
  expect(installed).toEqual(await readTree(join(root, 'by-npm/node_modules')))
  expect(Object.keys(installed)).toEqual(
    expect.arrayContaining(['.bin/own', '.bin/semver', 'renamed/index.js', 'own/bin/own.js']),
  )
  const readHidden = async (app: string): Promise<string[]> => {
    const text = await readFile(join(root, app, 'node_modules/.package-lock.json'), 'utf8')
    return Object.keys((JSON.parse(text) as Lock).packages).toSorted()
  }
  expect(await readHidden('by-store')).toEqual(await readHidden('by-npm'))
})

test(
  'a tool that changes a file in place is noticed, and the package is unpacked again',
  { timeout: 120_000 },
  async () => {
    const file = 'node_modules/ms/index.js'
    const app = join(root, 'by-store')
    const other = join(root, 'other')
    await store.install(app, lock)
    await store.install(other, lock)
    const before = await readFile(join(other, file), 'utf8')
    expect(store.removeChanged()).toEqual([])
    await appendFile(join(app, file), '// changed\n')
    expect(await readFile(join(other, file), 'utf8')).toContain('// changed')
    expect(store.removeChanged()).toEqual([expect.stringMatching(/^ms@\d/)])
    await store.install(other, lock)
    expect(await readFile(join(other, file), 'utf8')).toBe(before)
  },
)

test.each<[string, Record<string, LockedPackage>, RegExp]>([
  ['a package without a checksum', { 'node_modules/ms': { version: '2.1.3' } }, /node_modules\/ms has no checksum/],
])('%s needs npm', async (_name, packages, message) => {
  await expect(store.install(join(root, 'other'), { packages })).rejects.toThrow(message)
})

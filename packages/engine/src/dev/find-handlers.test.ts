import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { findHandlers } from './find-handlers.ts'

let root: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'understudy-find-')))
})
afterEach(() => rm(root, { recursive: true }))

async function create(...files: string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), '')
  }
}

test.each([
  ['the usual place', ['src/mocks/handlers.ts'], 'src/mocks/handlers.ts'],
  ['JavaScript', ['src/mocks/handlers.mjs'], 'src/mocks/handlers.mjs'],
  ['a folder', ['src/mocks/handlers/index.ts'], 'src/mocks/handlers/index.ts'],
  ['beside src', ['mocks/handlers.js'], 'mocks/handlers.js'],
  ['src before the root', ['mocks/handlers.ts', 'src/mocks/handlers.js'], 'src/mocks/handlers.js'],
  ['TypeScript before its compiled file', ['src/mocks/handlers.js', 'src/mocks/handlers.ts'], 'src/mocks/handlers.ts'],
])('finds them: %s', async (_name, files, name) => {
  await create(...files)
  expect(findHandlers(root, undefined)).toEqual({ path: `${root}/${name}`, name })
})

test.each(['api/mock.ts', 'api/mock', './api/mock.ts', 'api'])('finds the file of the option: %s', async (option) => {
  await create('api/mock.ts', 'api/index.ts')
  const name = option === 'api' ? 'api/index.ts' : 'api/mock.ts'
  expect(findHandlers(root, option)).toEqual({ path: `${root}/${name}`, name })
})

test('finds the file of the option by an absolute path', async () => {
  await create('api/mock.ts')
  expect(findHandlers(root, join(root, 'api/mock.ts')).name).toBe('api/mock.ts')
})

test('lists the searched paths, and shows an example', () => {
  expect(() => findHandlers(root, undefined)).toThrow(
    `Failed to find the handlers: there is no src/mocks/handlers.ts and no mocks/handlers.ts in ${root}.`,
  )
  expect(() => findHandlers(root, undefined)).toThrow("import { http, HttpResponse } from '@understudy/engine'")
})

test('suggests the closest file', async () => {
  await create('src/mocks/handlers.ts')
  expect(() => findHandlers(root, 'src/mocks/handler.ts')).toThrow(
    `the file src/mocks/handler.ts of the option "handlers" does not exist in ${root}. Did you mean "src/mocks/handlers.ts"?`,
  )
  expect(() => findHandlers(root, 'elsewhere/nothing.ts')).toThrow('Create it, or correct the option.')
  expect(() => findHandlers(root, '/src/mocks/handlers.ts')).toThrow('Did you mean "src/mocks/handlers.ts"?')
})

test.each(['src/mocks', '.', ''])('a folder without a module is not a missing file: "%s"', async (folder) => {
  await create('src/mocks/handlers.ts')
  expect(() => findHandlers(root, folder)).toThrow(
    `the option "handlers" is "${folder}", which is a folder without an index file. Name the file.`,
  )
})

test('a file that is not a module is not a missing file', async () => {
  await create('src/mocks/handlers.json')
  expect(() => findHandlers(root, 'src/mocks/handlers.json')).toThrow(
    'the option "handlers" is "src/mocks/handlers.json", which is not a module. ' +
      'Name a file with the extension .ts, .tsx, .mts, .js, .jsx or .mjs.',
  )
})

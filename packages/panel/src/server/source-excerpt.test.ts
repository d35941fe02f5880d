import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { readExcerpt } from './source-excerpt.ts'

let folder: string
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-excerpt-'))
  path = join(folder, 'a.ts')
  await writeFile(
    path,
    ['one', 'two', 'three', '\tfour()', 'five', 'six', 'seven', 'x'.repeat(300), '', 'ten'].join('\r\n'),
  )
})

afterAll(() => rm(folder, { recursive: true }))

const read = (line: number, column: number, file = path): Promise<string | null> =>
  readExcerpt({ path: file, name: 'a.ts', line, column }, folder)

test('the line is marked, and so is the column', async () => {
  expect(await read(4, 2)).toBe('  2 | two\n  3 | three\n> 4 | \tfour()\n    | \t^\n  5 | five\n  6 | six')
})

test('the first and the last line have fewer lines around them, and numbers are aligned', async () => {
  expect(await read(1, 1)).toBe('> 1 | one\n    | ^\n  2 | two\n  3 | three')
  expect(await read(10, 3)).toBe(`   8 | ${'x'.repeat(200)}…\n   9 |\n> 10 | ten\n     |   ^`)
})

test('a column that is not in the line, or at which nothing is, has no mark', async () => {
  expect(await read(4, 1)).not.toContain('^')
  expect(await read(1, 0)).not.toContain('^')
  expect(await read(8, 250)).not.toContain('^')
})

test('a line that does not exist, or a file that cannot be read, has no excerpt', async () => {
  expect(await read(11, 1)).toBe(null)
  expect(await read(0, 1)).toBe(null)
  expect(await read(1, 1, folder)).toBe(null)
  expect(await read(1, 1, join(folder, 'missing.ts'))).toBe(null)
})

test('a file outside the repository of the project has no excerpt, also through a link', async () => {
  const project = join(folder, 'repository/app')
  await mkdir(project, { recursive: true })
  await writeFile(join(folder, 'repository/pnpm-workspace.yaml'), '')
  await writeFile(join(project, 'package.json'), '{}')
  await writeFile(join(folder, 'repository/shared.ts'), 'shared')
  await symlink(path, join(project, 'link.ts'))
  await symlink(folder, join(project, 'folder'))
  const readIn = (file: string): Promise<string | null> =>
    readExcerpt({ path: join(project, file), name: file, line: 1, column: 1 }, project)
  expect(await readIn('../shared.ts')).toBe('> 1 | shared\n    | ^')
  for (const file of ['../../a.ts', 'link.ts', 'folder/a.ts'])
    expect({ file, code: await readIn(file) }).toEqual({ file, code: null })
})

test('a file of more than 2 MB has no excerpt', async () => {
  const long = join(folder, 'long.ts')
  await writeFile(long, 'one\n'.repeat(500_001))
  expect(await read(1, 1, long)).toBe(null)
})

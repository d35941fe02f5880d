import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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
  readExcerpt({ path: file, name: 'a.ts', line, column })

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

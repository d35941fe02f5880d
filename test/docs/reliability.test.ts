import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { repository } from '../acceptance/project.ts'

test('every promise about reliability names an existing test', async () => {
  const page = await readFile(join(repository, 'docs/reliability.md'), 'utf8')
  const tables = page.matchAll(/^\|.*\| test \|\n\|[-|]+\|\n((?:\|.*\n)+)/gm)
  const rows = [...tables].flatMap(([, table = '']) => table.trimEnd().split('\n'))
  expect(rows.length).toBeGreaterThan(25)
  for (const row of rows) {
    const [, file = ''] = / \| `([^`]+\.test\.ts)` \|$/.exec(row) ?? []
    expect(file, row).not.toBe('')
    expect(existsSync(join(repository, file)), file).toBe(true)
  }
})

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { repository } from '../acceptance/project.ts'

test('every boundary of the threat model names an existing test', async () => {
  const page = await readFile(join(repository, 'docs/security.md'), 'utf8')
  const [, table = ''] = /\n\| boundary \|.*\n\|[-|]+\|\n([^]*?)\n\n/.exec(page) ?? []
  const rows = table.split('\n').map((row) => row.split('|').slice(1, -1))
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    expect(row).toHaveLength(4)
    const [, file = ''] = /^ `(.+)` $/.exec(row[3] ?? '') ?? []
    expect(existsSync(join(repository, file)), file).toBe(true)
  }
})

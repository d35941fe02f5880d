import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'

import { differences, equalToOne, testedElsewhere, untested } from '../../sandboxes/msw-names/test/guide-rows.ts'

const repository = resolve(import.meta.dirname, '../..')
const guide = join(repository, 'docs/migrating-from-msw.md')

test('every row of the migration guide’s table "What differs" has a scenario, or a file that tests it', async () => {
  const markdown = await readFile(guide, 'utf8')
  const table = markdown.slice(markdown.indexOf('## What differs'), markdown.indexOf('## Every name'))
  const rows = Array.from(table.matchAll(/^\| ([^|]+?) \|/gm), ([, title = '']) => title).filter(Boolean)
  const listed = [...Object.keys(differences), ...Object.keys(testedElsewhere), ...equalToOne, ...untested]
  expect(rows.toSorted()).toEqual(listed.toSorted())
  for (const file of Object.values(testedElsewhere)) expect(existsSync(join(repository, file)), file).toBe(true)
})

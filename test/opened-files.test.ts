/** Each file that Node opens takes as long as twenty kilobytes of another. Runs against the built package. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../packages/engine/dist/for-node')

/** Returns the files that Node opens for entries: each entry, and what it imports, directly or indirectly. */
async function openedBy(entries: readonly string[]): Promise<readonly string[]> {
  const opened = new Set(entries)
  // The set grows during the iteration.
  for (const file of opened) {
    const text = await readFile(join(folder, file), 'utf8')
    for (const [, imported = ''] of text.matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g)) opened.add(imported)
  }
  return [...opened]
}

test('handlers open two files, and a server two more', async () => {
  expect(await openedBy(['index.js'])).toHaveLength(2)
  expect(await openedBy(['index.js', 'node.js'])).toHaveLength(4)
})

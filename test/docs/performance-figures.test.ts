import { readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { createPages } from '../../bench/report/performance-page.ts'

/** `npm run bench -- docs` writes them again. */
test('the pages with figures have those of bench/results.json', async () => {
  for (const [path, text] of await createPages()) expect(await readFile(path, 'utf8')).toBe(text)
})

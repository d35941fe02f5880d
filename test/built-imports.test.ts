import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { expect, test } from 'vitest'

const repository = resolve(import.meta.dirname, '..')

test('modules of the engine for browsers name no source maps', async () => {
  // If Babel composes maps, as in Ember, Vite looks for their sources in wrong folders, and warns of each.
  const found: string[] = []
  let count = 0
  for await (const file of glob('packages/engine/dist/{*,shared/*}.js', { cwd: repository })) {
    // Build tools read this module in Node.
    if (file.endsWith('internal-dev.js')) continue
    count += 1
    if ((await readFile(resolve(repository, file), 'utf8')).includes('sourceMappingURL')) found.push(file)
  }
  expect(count).toBeGreaterThan(20)
  expect(found).toEqual([])
})

test('no dynamic import of a package has a form that Vite 6 rewrites wrongly in builds', async () => {
  // If a chunk has several modules, the bundler appends the name of one of them. Vite 6 reads the pattern before it.
  const wrong = /\{[^{}.=]+\}\s*=\s*await\s+import\([^)]+\)\.then/
  const files: string[] = []
  const found: string[] = []
  for await (const file of glob('packages/{engine,panel,storybook-addon}/dist/**/*.js', { cwd: repository })) {
    files.push(file)
    if (wrong.test(await readFile(resolve(repository, file), 'utf8'))) found.push(file)
  }
  expect(files.length).toBeGreaterThan(100)
  expect(found).toEqual([])
})

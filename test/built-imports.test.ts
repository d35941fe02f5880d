import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { expect, test } from 'vitest'

const repository = resolve(import.meta.dirname, '..')

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

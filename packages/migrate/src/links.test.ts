/** Tests that the migration changes no files outside the project through symbolic links. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { runMigration } from './run-migration.ts'

let folder: string
let app: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-migrate-links-'))
  app = join(folder, 'app')
  await mkdir(join(app, 'src'), { recursive: true })
  await writeFile(join(folder, 'outside.ts'), `import 'msw'\n`)
  await writeFile(join(app, 'package.json'), '{}\n')
  await writeFile(join(app, 'src/a.ts'), `import 'msw'\n`)
  await symlink(join(folder, 'outside.ts'), join(app, 'src/outside.ts'))
  await symlink('a.ts', join(app, 'src/inside.ts'))
  await symlink(join(folder, 'missing.ts'), join(app, 'src/missing.ts'))
})

afterEach(() => rm(folder, { recursive: true }))

test.each(['with Git', 'without Git'])('a link that leads out of the project is not followed, %s', async (how) => {
  if (how === 'with Git') execFileSync('git', ['init', '--quiet'], { cwd: app })
  const lines: string[] = []
  const print = (text: string): void => void lines.push(text)
  expect(await runMigration([app, '--yes'], { print, printError: print, ask: () => Promise.resolve('') })).toBe(0)
  expect(await readFile(join(folder, 'outside.ts'), 'utf8')).toBe(`import 'msw'\n`)
  expect(lines.join('\n')).not.toContain('outside.ts')
  expect(await readFile(join(app, 'src/a.ts'), 'utf8')).toBe(`import '@understudy/engine'\n`)
  expect(await readFile(join(app, 'src/inside.ts'), 'utf8')).toBe(`import '@understudy/engine'\n`)
})

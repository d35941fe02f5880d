import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterEach, beforeEach, expect, test } from 'vitest'

const run = promisify(execFile)
const command = join(import.meta.dirname, 'command.ts')
const source = ['--conditions=@understudy/source', command]
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-command-'))
  await writeFile(join(folder, 'package.json'), '{}')
  await writeFile(join(folder, 'a.js'), `import { http } from 'msw'\n`)
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

test('migrate runs the migration in the current folder', async () => {
  await run(process.execPath, [...source, 'migrate', '--yes'], { cwd: folder })
  expect(await readFile(join(folder, 'a.js'), 'utf8')).toBe(`import { http } from '@understudy/engine'\n`)
})

test('migrate asks for --yes and exits with 1 if it cannot prompt', async () => {
  const failure = run(process.execPath, [...source, 'migrate'], { cwd: folder })
  await expect(failure).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Pass --yes') as string })
  expect(await readFile(join(folder, 'a.js'), 'utf8')).toBe(`import { http } from 'msw'\n`)
})

test('another command is an error', async () => {
  await expect(run(process.execPath, [...source, 'init'])).rejects.toMatchObject({
    code: 1,
    stderr:
      '[understudy] Failed to run understudy: "init" is not a command. Run: npx @understudy/engine --help (US1001)\n',
  })
})

test.each(['--help', '-h', 'help'])('%s lists the commands', async (option) => {
  const { stdout, stderr } = await run(process.execPath, [...source, option])
  expect(stdout).toMatch(/^Usage: npx @understudy\/engine <command>$/m)
  expect(stdout).toMatch(/^ {2}migrate {3}Migrates a project from MSW\./m)
  expect(stderr).toBe('')
})

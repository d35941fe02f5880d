#!/usr/bin/env node
/**
 * `npx @understudy/engine migrate`: runs the command of `@understudy/migrate`. That package includes a parser that
 * applications do not need, so npm downloads it only when the command runs.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { failure, print } from './core/failure.ts'

const usage = `Usage: npx @understudy/engine <command>

Commands:
  migrate   Migrates a project from MSW. For its options, run: npx @understudy/engine migrate --help

The plugin of your build tool serves the worker, so no command copies a worker file.`

const [command, ...args] = process.argv.slice(2)
if (command === 'migrate') process.exitCode = migrate(args)
else if (command === '--help' || command === '-h' || command === 'help') console.log(usage)
else {
  print.error(
    'US1001',
    `Failed to run understudy: ${command === undefined ? 'no command was given' : `"${command}" is not a command`}. ` +
      'Run: npx @understudy/engine --help',
  )
  process.exitCode = 1
}

function migrate(given: readonly string[]): number {
  const installed = findInstalled()
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const { status, error } = installed
    ? spawnSync(process.execPath, [...process.execArgv, installed, ...given], { stdio: 'inherit' })
    : spawnSync(
        'npm',
        ['exec', '--yes', `--package=@understudy/migrate@${version}`, '--', 'understudy-migrate', ...given],
        {
          stdio: 'inherit',
          // On Windows, npm is a script that needs a shell. This is safe, because all arguments come from this command
          // line.
          shell: process.platform === 'win32',
        },
      )
  if (error)
    throw failure(
      'US1002',
      'migrate',
      `npm does not run: ${error.message}`,
      'Install npm, and run the command again.',
      { cause: error },
    )
  return status ?? 1
}

/** Returns the script of `@understudy/migrate`, if it is installed beside the engine. */
function findInstalled(): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve('@understudy/migrate/command'))
  } catch {
    return undefined
  }
}

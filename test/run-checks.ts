/**
 * Runs every `check:*` script of package.json at once. A check that passes prints one line. A check that fails prints
 * its whole output.
 */
import { exec } from 'node:child_process'
import { promisify } from 'node:util'

import manifest from '../package.json' with { type: 'json' }

const run = promisify(exec)

const checks = Object.keys(manifest.scripts).filter((script) => script.startsWith('check:'))
const results = await Promise.all(checks.map(runCheck))
const failed = checks.filter((_, i) => !results[i])
if (failed.length > 0) {
  console.error(
    `Failed to check: ${failed.join(', ')} found something. Run one alone with npm run, e.g. npm run ${failed[0]}.`,
  )
  process.exitCode = 1
}

async function runCheck(script: string): Promise<boolean> {
  const start = performance.now()
  const outcome = await run(`npm run --silent ${script}`, { maxBuffer: Infinity }).then(
    () => undefined,
    (error: { stdout: string; stderr: string }) => error,
  )
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (!outcome) {
    console.log(`${script} passed in ${seconds} s`)
    return true
  }
  console.log(`${script} FAILED\n${indent(outcome.stdout)}\n${indent(outcome.stderr)}`.trimEnd())
  return false
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, '  ')
}

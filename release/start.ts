/**
 * `npm run release`: builds the packages and publishes those whose version the registry does not have. `--dry-run` packs them and
 * publishes nothing; `--built` takes the packages as they are built. Other arguments go to `npm publish`: `-- --tag next`,
 * `-- --registry http://localhost:4873`.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { listMissing, stagePackages, type Origin } from './stage-packages.ts'

const root = resolve(import.meta.dirname, '..')
const isBuilt = process.argv.includes('--built')
const parameters = process.argv.slice(2).filter((parameter) => parameter !== '--built')
const isDryRun = parameters.includes('--dry-run')

const refusals: string[] = []
const origin = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Origin
const missing = listMissing(origin)
if (missing.length > 0) {
  refusals.push(
    `the root package.json has no ${missing.map((field) => `"${field}"`).join(', ')}. ` +
      'Set them there: each package takes them from there.',
  )
}
const pending = globSync('.changeset/*.md', { cwd: root }).filter((file) => !file.endsWith('README.md'))
if (pending.length > 0) {
  refusals.push(
    `there are ${pending.length} changesets without a version. Run npm run changeset -- version, and commit the result.`,
  )
}
if (refusals.length > 0 && !isDryRun) refuse()

if (!isBuilt) runOrExit('npm', ['run', '--silent', 'build'], root)
for (const { name, version, folder } of await stagePackages(join(root, '.tmp/release'), origin)) {
  if (!isDryRun && isPublished(`${name}@${version}`)) {
    console.log(`${name}@${version} is published already.`)
    continue
  }
  // Forges that support provenance set this variable.
  const provenance = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] ? ['--provenance'] : []
  runOrExit('npm', ['publish', ...provenance, ...parameters], folder)
}
if (refusals.length > 0) refuse()

function refuse(): never {
  for (const refusal of refusals) console.error(`Failed to release: ${refusal}`)
  process.exit(1)
}

function isPublished(specifier: string): boolean {
  const registry = parameters.flatMap((parameter, index) =>
    parameter === '--registry' ? [parameter, parameters[index + 1] ?? ''] : [],
  )
  const { status } = spawnSync('npm', ['view', specifier, 'version', ...registry], {
    cwd: root,
    shell: process.platform === 'win32',
  })
  return status === 0
}

function runOrExit(program: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * `npm run docs` serves the site; `npm run docs:build` builds it. Arguments go to VitePress: `-- --base /understudy/`.
 *
 * VitePress needs another Vite than the packages, so that it is installed in this folder, when it is first needed.
 */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { addresses } from './addresses.ts'

const folder = import.meta.dirname
const [command = 'dev', ...parameters] = process.argv.slice(2)

// npm stores a copy of the lockfile in `node_modules`. Both contain every package and its version.
const [wanted, installed] = await Promise.all(
  ['package-lock.json', 'node_modules/.package-lock.json'].map(readVersions),
)
if (wanted !== installed) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
// TypeDoc needs the TypeScript of this folder, which takes three times as long.
if (command === 'build') run(process.execPath, ['../node_modules/typescript/bin/tsc'])
const { generateApi } = await import('./generate-api.ts')
await generateApi(addresses.repository)
const { buildPlayground } = await import('./playground/build-playground.ts')
await buildPlayground(join(folder, '../docs/public/playground-files'))
run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', command, '.', ...parameters])

async function readVersions(file: string): Promise<string | undefined> {
  try {
    const { packages } = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
      packages: Record<string, { version?: string; optional?: boolean }>
    }
    const versions = Object.entries(packages)
      .filter(([path, { optional }]) => path !== '' && !optional)
      .map(([path, { version }]) => `${path}@${version}`)
    return versions.toSorted().join('\n')
  } catch {
    return undefined
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

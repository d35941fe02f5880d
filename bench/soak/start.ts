/**
 * `npm run soak`: builds the packages and runs the long forms of the floods, in Node, Chromium and Firefox, and the search
 * for leaks in Node. It takes about an hour. Names choose a part: `npm run soak -- leaks`, `npm run soak -- chromium stopped`.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const names = process.argv.slice(2)
const [part] = names

run('npm', ['run', '--silent', 'build'])
const files = part === 'leaks' ? ['soak.ts'] : names.length > 0 ? ['floods.ts'] : ['soak.ts', 'floods.ts']
for (const file of files) {
  const args = file === 'floods.ts' ? names : []
  run(process.execPath, ['--expose-gc', join(import.meta.dirname, file), ...args])
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  // Run the others, too: a soak takes long, and each figure is useful.
  if (status !== 0) process.exitCode = status ?? 1
}

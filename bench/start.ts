/**
 * `npm run bench`: builds the packages, installs the peers where they are missing or of another version than the
 * lockfile names, and measures. See run.ts for the arguments.
 */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

// npm stores a copy of the lockfile in `node_modules`. Both contain every package and its version.
const [wanted, installed] = await Promise.all(
  ['package-lock.json', 'node_modules/.package-lock.json'].map(readVersions),
)
if (wanted !== installed) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], import.meta.dirname)
run('npm', ['run', '--silent', 'build'], root)
run(process.execPath, [join(import.meta.dirname, 'run.ts'), ...process.argv.slice(2)], root)

async function readVersions(file: string): Promise<string | undefined> {
  try {
    const { packages } = JSON.parse(await readFile(join(import.meta.dirname, file), 'utf8')) as {
      packages: Record<string, { version?: string }>
    }
    const versions = Object.entries(packages).map(([path, { version }]) => (path === '' ? '' : `${path}@${version}`))
    return versions.toSorted().join('\n')
  } catch {
    return undefined
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Builds the packages, each after those that it needs. One whose sources, and those of what it needs, are what they
 * were at its last build is left as it is.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const stamps = join(root, '.tmp/builds')

/** Those of a step are built side by side. */
const steps = [['engine'], ['panel', 'msw', 'migrate'], ['vite-plugin', 'webpack-plugin'], ['storybook-addon']]

const shared = createHash('sha256').update(process.version)
const sharedFiles = ['package-lock.json', 'tsconfig.json', 'packages/bundle-options.ts', 'packages/read-licenses.ts']
for (const file of sharedFiles) shared.update(await readFile(join(root, file)))
let before = shared.digest('hex')

await mkdir(stamps, { recursive: true })
for (const names of steps) {
  const hashes = await Promise.all(names.map((name) => hashSources(name, before)))
  await Promise.all(names.map((name, i) => build(name, hashes[i] ?? '')))
  if (process.exitCode) break
  before = hashes.join()
}

async function build(name: string, hash: string): Promise<void> {
  const stamp = join(stamps, name)
  const built = await readFile(stamp, 'utf8').catch(() => undefined)
  if (built === hash && existsSync(join(root, 'packages', name, 'dist'))) return
  await rm(stamp, { force: true })
  if ((await run('npm', ['run', '--silent', 'build', '-w', `packages/${name}`])) === 0) await writeFile(stamp, hash)
  else process.exitCode = 1
}

function run(command: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    spawn(command, args, { cwd: root, stdio: 'inherit' }).on('error', reject).on('exit', resolve)
  })
}

/** @param needed the hash of what the package needs */
async function hashSources(name: string, needed: string): Promise<string> {
  const folder = join(root, 'packages', name)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !/^(?:dist|node_modules)\//.test(file) && !/\.test(?:-d)?\.tsx?$/.test(file))
  const hash = createHash('sha256').update(needed)
  for (const file of files.toSorted()) hash.update(file).update(await readFile(join(folder, file)))
  return hash.digest('hex')
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const sandboxes = resolve(import.meta.dirname, '../sandboxes')

/** A sandbox of the second tier: no workspace, but a project with a lockfile of its own. */
export interface HeavySandbox {
  readonly name: string
  readonly folder: string
}

/** The folders of `sandboxes` that have a lockfile. */
export function findHeavySandboxes(): HeavySandbox[] {
  return readdirSync(sandboxes)
    .map((name) => ({ name, folder: join(sandboxes, name) }))
    .filter(({ folder }) => existsSync(join(folder, 'package-lock.json')))
}

/** Written when all is installed, with what it was installed from. */
const stampFile = 'node_modules/.understudy-install'

/**
 * Installs what a sandbox depends on, as far as it is not there yet. Our packages come from their builds, which have to
 * be up to date.
 *
 * @returns what was done
 * @throws with npm's words, where the lockfile does not fit
 */
export async function install({ name, folder }: HeavySandbox): Promise<string> {
  const packages = readPackages(folder)
  const stamp = await createStamp(folder, packages)
  const installed = await readFile(join(folder, stampFile), 'utf8').catch(() => undefined)
  if (installed === stamp) {
    // The optimizer of Vite knows modules by their packages' versions.
    await rm(join(folder, 'node_modules/.vite'), { recursive: true, force: true })
    for (const each of packages) await copyBuild(each.source, join(folder, 'node_modules', each.name))
    return 'our packages renewed'
  }
  await checkLock(name, folder, packages)
  try {
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: Infinity })
  } catch (error) {
    const { stderr } = error as { stderr: string }
    throw new Error(
      `Failed to install sandboxes/${name}: npm ci said what is below. Correct its package.json or package-lock.json.\n${stderr}`,
      { cause: error },
    )
  }
  await writeFile(join(folder, stampFile), stamp)
  return 'installed'
}

interface LinkedPackage {
  readonly name: string
  /** The folder that the sandbox names by `file:`. */
  readonly source: string
}

interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly files?: readonly string[]
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function readPackages(folder: string): LinkedPackage[] {
  const { dependencies, devDependencies } = readManifest(folder)
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, specifier]) => specifier.startsWith('file:'))
    .map(([name, specifier]) => ({ name, source: resolve(folder, specifier.slice('file:'.length)) }))
}

async function createStamp(folder: string, packages: readonly LinkedPackage[]): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  const files = ['package.json', 'package-lock.json', '.npmrc'].map((file) => join(folder, file))
  for (const { source } of packages) files.push(join(source, 'package.json'))
  for (const file of files) hash.update(await readFile(file).catch(() => ''))
  return hash.digest('hex')
}

/** npm does not notice that a package of ours depends on others than it did when the lockfile was written. */
async function checkLock(sandbox: string, folder: string, packages: readonly LinkedPackage[]): Promise<void> {
  const lock = await readLock(folder)
  for (const { name, source } of packages) {
    const locked = JSON.stringify(lock.packages[`node_modules/${name}`]?.dependencies ?? {})
    const wanted = JSON.stringify(readManifest(source).dependencies ?? {})
    if (locked === wanted) continue
    throw new Error(
      `Failed to install sandboxes/${sandbox}: for its lockfile ${name} depends on ${locked}, but now it is ${wanted}. ` +
        `Run npm run test:heavy -- --relock ${sandbox}, and commit the lockfile.`,
    )
  }
}

/**
 * Takes the dependencies that our packages have now into a sandbox's lockfile; all others stay as they are locked.
 *
 * @throws with npm's words
 */
export async function relock({ folder }: HeavySandbox): Promise<void> {
  const lock = await readLock(folder)
  for (const { name } of readPackages(folder)) delete lock.packages[`node_modules/${name}`]
  await writeFile(join(folder, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  // What npm remembers of them there would win.
  await rm(join(folder, 'node_modules'), { recursive: true, force: true })
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: Infinity })
}

interface Lock {
  readonly packages: Record<string, Manifest>
}

async function readLock(folder: string): Promise<Lock> {
  return JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as Lock
}

/** What npm would pack; tests of ours among it do no harm. */
async function copyBuild(source: string, target: string): Promise<void> {
  const names = (readManifest(source).files ?? []).filter((file) => !file.startsWith('!'))
  for (const file of names) {
    await rm(join(target, file), { recursive: true, force: true })
    await cp(join(source, file), join(target, file), { recursive: true })
  }
}

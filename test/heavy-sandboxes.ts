import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { locate, readLock, readRegistry, type Lock } from './lockfile.ts'
import { createPackageStore } from './package-store.ts'

const run = promisify(execFile)
const sandboxes = resolve(import.meta.dirname, '../sandboxes')
const store = createPackageStore(resolve(import.meta.dirname, '../.tmp/packages'))

/** A sandbox of the second tier: not a workspace, but a project with its own lockfile. */
export interface HeavySandbox {
  readonly name: string
  readonly folder: string
}

/** Returns the folders of `sandboxes` with a lockfile. */
export function findHeavySandboxes(): HeavySandbox[] {
  return readdirSync(sandboxes)
    .map((name) => ({ name, folder: join(sandboxes, name) }))
    .filter(({ folder }) => existsSync(join(folder, 'package-lock.json')))
}

/** A file that is written after the installation, with the sources of the installed packages. */
const stampFile = 'node_modules/.understudy-install'

/**
 * Installs the missing dependencies of a sandbox. Our packages are installed from their builds, which must be up to
 * date.
 *
 * @returns a description of the result
 * @throws {Error} with npm's message, if the lockfile does not fit
 */
export async function install({ name, folder }: HeavySandbox): Promise<string> {
  const packages = readPackages(folder)
  const stamp = await createStamp(folder, packages)
  const installed = await readFile(join(folder, stampFile), 'utf8').catch(() => undefined)
  if (installed === stamp) {
    // Vite's optimizer identifies modules by the versions of their packages.
    await rm(join(folder, 'node_modules/.vite'), { recursive: true, force: true })
    for (const each of packages) await copyBuild(each.source, join(folder, 'node_modules', each.name))
    return 'our packages renewed'
  }
  const lock = await readLock(folder)
  checkLock(name, lock, packages)
  const reason = await store.install(folder, lock).catch((error: Error) => error)
  if (reason)
    await installWithNpm(folder, lock).catch((error: Error) => {
      const { stderr } = error as Error & { stderr: string }
      throw new Error(
        `Failed to install sandboxes/${name}: npm ci said what is below. Correct its package.json or package-lock.json.\n${stderr}`,
        { cause: error },
      )
    })
  await writeFile(join(folder, stampFile), stamp)
  return reason ? `installed by npm ci (${reason.message})` : 'installed'
}

/** Returns a failure for each package that a tool changed for all sandboxes, because they share its files. */
export function listChangedPackages(): string[] {
  return store
    .removeChanged()
    .map((name) => `A tool changed files of ${name} in place. All sandboxes share them: see test/package-store.ts.`)
}

/** npm prefers this lockfile, and then ignores `package-lock.json`. */
const preferredLock = 'npm-shrinkwrap.json'

const npmCi = ['ci', '--no-audit', '--no-fund']

/**
 * Runs `npm ci`. The lockfiles do not contain the URLs of the archives, so that they fit every registry. Without them, npm loads and
 * parses the list of all versions of each package ([decision 256](../docs/decisions/0256-lockfiles-with-urls-for-npm-ci.md)). The
 * other lockfile, which npm prefers, contains them.
 */
async function installWithNpm(folder: string, { packages, ...lock }: Lock): Promise<void> {
  const preferred = join(folder, preferredLock)
  const registry = await readRegistry()
  const located = Object.entries(packages).map(([path, entry]) => [path, locate(path, entry, registry)])
  try {
    await writeFile(preferred, JSON.stringify({ ...lock, packages: Object.fromEntries(located) as unknown }))
    await run('npm', npmCi, { cwd: folder, maxBuffer: Infinity })
  } catch {
    // A registry may have its archives in other places.
    await rm(preferred, { force: true })
    await run('npm', npmCi, { cwd: folder, maxBuffer: Infinity })
  } finally {
    await rm(preferred, { force: true })
  }
}

interface LinkedPackage {
  readonly name: string
  /** The folder of the sandbox's `file:` dependency. */
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

/**
 * Checks the lockfile, because npm does not notice that the dependencies of our packages have changed since it was
 * written.
 */
function checkLock(sandbox: string, lock: Lock, packages: readonly LinkedPackage[]): void {
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
 * Updates the dependencies of our packages in a sandbox's lockfile. All others stay locked.
 *
 * @throws {Error} with npm's message
 */
export async function relock({ folder }: HeavySandbox): Promise<void> {
  const lock = await readLock(folder)
  for (const { name } of readPackages(folder)) delete lock.packages[`node_modules/${name}`]
  await writeFile(join(folder, 'package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  // An interrupted installation may have left it.
  await rm(join(folder, preferredLock), { force: true })
  // Otherwise, npm would use the data of our packages in that folder.
  await rm(join(folder, 'node_modules'), { recursive: true, force: true })
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: Infinity })
}

/** Copies the files that npm would pack, and also our tests, which have no effect. */
async function copyBuild(source: string, target: string): Promise<void> {
  const names = (readManifest(source).files ?? []).filter((file) => !file.startsWith('!'))
  for (const file of names) {
    await rm(join(target, file), { recursive: true, force: true })
    await cp(join(source, file), join(target, file), { recursive: true })
  }
}

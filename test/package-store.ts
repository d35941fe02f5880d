import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

import {
  listForThisMachine,
  locate,
  readRegistry,
  toName,
  type Lock,
  type LockedEntry as Entry,
  type LockedPackage,
} from './lockfile.ts'

const run = promisify(execFile)

/** Installs lockfiles with hard links to packages that are unpacked once for all of them. */
export interface PackageStore {
  /**
   * Replaces `node_modules` of a folder by what its lockfile lists, as `npm ci` does.
   *
   * @throws {Error} if the lockfile needs npm, or npm's error
   */
  install(folder: string, lock: Lock): Promise<void>
  /**
   * Returns the packages whose files a tool has changed in place, which also changed them for all others. They are unpacked
   * again the next time.
   */
  removeChanged(): string[]
}

/** An unpacked package, with its folders and files relative to its own folder. */
interface Unpacked {
  readonly folder: string
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

/** @param root a folder on the same file system as the folders to install */
export function createPackageStore(root: string): PackageStore {
  // Jest's test runners list the packages of all folders below their root, but not those in node_modules.
  const store = join(root, 'node_modules')
  const archives = new Map<string, Promise<Unpacked>>()
  const builds = new Map<string, Promise<Unpacked>>()

  /** Unpacks the archives that are not in the store, with one `npm ci`. Resolves when the store has all of the archives. */
  async function unpack(entries: readonly Entry[]): Promise<void> {
    const missing = new Map<string, Entry>()
    for (const entry of entries) {
      const key = toKey(entry[1])
      if (archives.has(key)) continue
      if (existsSync(toStamp(key))) archives.set(key, Promise.resolve(list(join(store, key))))
      else missing.set(key, entry)
    }
    if (missing.size > 0) {
      const unpacking = unpackAll(root, store, missing)
      for (const key of missing.keys()) {
        const unpacked = unpacking.then(async () => {
          await writeFile(toStamp(key), '')
          return list(join(store, key))
        })
        archives.set(key, unpacked)
        unpacked.catch(() => archives.delete(key))
      }
    }
    for (const [, entry] of entries) await archives.get(toKey(entry))
  }

  /** Returns one of our packages as npm would pack it. */
  function pack(source: string): Promise<Unpacked> {
    const packed = builds.get(source) ?? copyPacked(source, join(store, `ours-${toHash(source)}`))
    builds.set(source, packed)
    return packed
  }

  function toStamp(key: string): string {
    return join(root, `${key}.stamp`)
  }

  return {
    async install(folder, lock) {
      const reason = findReasonForNpm(folder, lock)
      if (reason !== undefined) throw new Error(`Failed to link packages: ${reason}.`)
      await mkdir(store, { recursive: true })
      const entries = listForThisMachine(lock)
      await unpack(entries.filter(isArchive))
      for (const modules of new Set(entries.map(([path]) => /^.*?node_modules/.exec(path)?.[0]))) {
        if (modules !== undefined) await rm(join(folder, modules), { recursive: true, force: true })
      }
      for (const [path, entry] of entries) {
        const target = join(folder, path)
        if (entry.link) {
          mkdirSync(dirname(target), { recursive: true })
          symlinkSync(relative(dirname(target), join(folder, entry.resolved ?? '')), target)
        } else if (isArchive([path, entry])) {
          const unpacked = await archives.get(toKey(entry))
          // An installation script may change the files of its package.
          if (unpacked) place(unpacked, target, entry.hasInstallScript ? copyFileSync : linkSync)
        } else if (isOurs(entry)) {
          place(await pack(resolve(folder, entry.resolved.slice('file:'.length))), target, linkSync)
        }
      }
      linkCommands(folder, entries)
      await writeHiddenLock(folder, lock, entries)
      const scripted = entries.filter(([, entry]) => entry.hasInstallScript).map(([path]) => nameOfFolder(path))
      if (scripted.length > 0) await run('npm', ['rebuild', ...scripted], { cwd: folder, maxBuffer: Infinity })
    },

    removeChanged() {
      const keys = [...archives.keys()].filter((key) => existsSync(toStamp(key)) && isChanged(key))
      return keys.map((key) => {
        const { name, version } = readManifest(join(store, key))
        rmSync(toStamp(key))
        rmSync(join(store, key), { recursive: true })
        archives.delete(key)
        return `${name}@${version}`
      })
    },
  }

  function isChanged(key: string): boolean {
    const { mtimeMs } = statSync(toStamp(key))
    const { folder, files } = list(join(store, key))
    return files.some((file) => lstatSync(`${folder}/${file}`).mtimeMs > mtimeMs)
  }
}

/** Says why only npm can install a lockfile; `undefined` if it can be installed without. */
function findReasonForNpm(folder: string, { packages }: Lock): string | undefined {
  if (process.platform === 'win32') return 'commands are not links on Windows'
  const { scripts = {} } = readManifest(folder)
  const script = ['preinstall', 'install', 'postinstall', 'prepare'].find((name) => scripts[name] !== undefined)
  if (script !== undefined) return `the project has the script ${script}`
  const other = Object.entries(packages).find(
    ([path, entry]) =>
      path.includes('node_modules/') &&
      !isArchive([path, entry]) &&
      !isOurs(entry) &&
      entry.inBundle !== true &&
      entry.link !== true,
  )
  return other && `${other[0]} has no checksum`
}

function isArchive([, { integrity, inBundle }]: Entry): boolean {
  return integrity !== undefined && inBundle !== true
}

function isOurs(entry: LockedPackage): entry is LockedPackage & { resolved: string } {
  return entry.link !== true && entry.resolved?.startsWith('file:') === true
}

function toKey({ integrity = '' }: LockedPackage): string {
  return `p${toHash(integrity)}`
}

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Unpacks archives into the folders of their keys. npm checks their checksums, and takes them from its cache or from the registry. */
async function unpackAll(root: string, store: string, packages: ReadonlyMap<string, Entry>): Promise<void> {
  const folder = await mkdtemp(join(root, 'unpacking-'))
  const registry = await readRegistry()
  const entries = [...packages].map(([key, [path, { version = '', resolved, integrity }]]) => {
    const name = toName(path, packages.get(key)?.[1] ?? {})
    // Without their dependencies, each is a package that needs no other.
    const entry = { name, version, ...(resolved !== undefined && { resolved }), integrity }
    return { key, entry, specifier: `npm:${name}@${version}` }
  })
  const manifest = {
    name: 'packages',
    private: true,
    dependencies: Object.fromEntries(entries.map(({ key, specifier }) => [key, specifier])),
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const unpackWith = async (toLocked: (path: string, entry: LockedPackage) => LockedPackage): Promise<void> => {
    const locked = entries.map(({ key, entry }) => {
      const path = `node_modules/${key}`
      return [path, toLocked(path, entry as LockedPackage)] as const
    })
    const lock = {
      name: manifest.name,
      lockfileVersion: 3,
      requires: true,
      packages: { '': manifest, ...Object.fromEntries(locked) },
    }
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
    const flags = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund']
    await run('npm', ['ci', ...flags], { cwd: folder, maxBuffer: Infinity })
  }
  try {
    // Without the URLs, npm loads and parses the list of all versions of each package. But a registry may have its archives in other places.
    await unpackWith((path, entry) => locate(path, entry, registry)).catch(() => unpackWith((_path, entry) => entry))
    for (const { key } of entries) {
      await rm(join(store, key), { recursive: true, force: true })
      await rename(join(folder, 'node_modules', key), join(store, key))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Copies the files of a package that npm would pack. */
async function copyPacked(source: string, folder: string): Promise<Unpacked> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: source, maxBuffer: Infinity })
  const [packed] = JSON.parse(stdout) as { files: { path: string; mode: number }[] }[]
  await rm(folder, { recursive: true, force: true })
  for (const { path, mode } of packed?.files ?? []) {
    await cp(join(source, path), join(folder, path))
    chmodSync(join(folder, path), mode)
  }
  return list(folder)
}

function list(folder: string): Unpacked {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const pathsOf = (items: typeof entries): string[] =>
    items.map((item) => `${item.parentPath}/${item.name}`.slice(folder.length + 1))
  return {
    folder,
    // A folder comes before those that it contains.
    folders: pathsOf(entries.filter((entry) => entry.isDirectory())).toSorted(),
    files: pathsOf(entries.filter((entry) => !entry.isDirectory())),
  }
}

function place({ folder, folders, files }: Unpacked, target: string, put: (from: string, to: string) => void): void {
  mkdirSync(target, { recursive: true })
  for (const each of folders) mkdirSync(`${target}/${each}`)
  for (const file of files) put(`${folder}/${file}`, `${target}/${file}`)
}

function linkCommands(folder: string, entries: readonly Entry[]): void {
  for (const [path, { bin = {} }] of entries) {
    const commands = join(folder, path.slice(0, path.lastIndexOf('node_modules/')), 'node_modules/.bin')
    for (const [name, script] of Object.entries(bin)) {
      const target = join(folder, path, script)
      const link = join(commands, name)
      // As npm, take the first of two packages with the same command.
      if (!existsSync(target) || lstatSync(link, { throwIfNoEntry: false })) continue
      mkdirSync(commands, { recursive: true })
      chmodSync(target, 0o755)
      symlinkSync(relative(commands, target), link)
    }
  }
}

/** Writes npm's list of what is installed. Vite reads it to know when dependencies have changed. */
async function writeHiddenLock(folder: string, lock: Lock, entries: readonly Entry[]): Promise<void> {
  const registry = await readRegistry()
  const located = entries.map(([path, entry]) => [path, locate(path, entry, registry)] as const)
  const hidden = { ...lock, packages: Object.fromEntries(located) }
  await writeFile(join(folder, 'node_modules/.package-lock.json'), `${JSON.stringify(hidden, null, 2)}\n`)
}

function nameOfFolder(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly scripts?: Record<string, string>
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

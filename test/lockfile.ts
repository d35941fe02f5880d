import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The used part of npm's lockfile. */
export interface Lock {
  readonly packages: Record<string, LockedPackage>
}

/** A package in a lockfile. */
export interface LockedPackage {
  /** The name, if the folder has another one. */
  readonly name?: string
  readonly version?: string
  /** Where the package comes from. */
  readonly resolved?: string
  readonly integrity?: string
  /** Whether the archive of another package contains it. */
  readonly inBundle?: boolean
  /** Whether it is a link to a workspace. */
  readonly link?: boolean
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly hasInstallScript?: boolean
  /** The scripts of its commands, by name. */
  readonly bin?: Record<string, string>
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly libc?: string | readonly string[]
}

export type LockedEntry = readonly [path: string, entry: LockedPackage]

/** Reads the lockfile of a folder. */
export async function readLock(folder: string): Promise<Lock> {
  return JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as Lock
}

/**
 * Returns the name of a package.
 *
 * @param path `'node_modules/@scope/name'`
 */
export function toName(path: string, entry: LockedPackage): string {
  // An alias has another name than its folder.
  return entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Adds the URL of its archive to a package of a registry, in the form that npm's registry and its mirrors use. */
export function locate(path: string, entry: LockedPackage, registry: string): LockedPackage {
  const isOfRegistry = entry.integrity !== undefined && entry.resolved === undefined && !entry.inBundle
  if (!isOfRegistry) return entry
  const name = toName(path, entry)
  const file = `${name.slice(name.indexOf('/') + 1)}-${entry.version}.tgz`
  return { ...entry, resolved: `${registry}${name}/-/${file}` }
}

let registryOfMachine: Promise<string> | undefined

/** `'https://registry.test/'` */
export function readRegistry(): Promise<string> {
  registryOfMachine ??= run('npm', ['config', 'get', 'registry']).then(({ stdout }) =>
    stdout.trim().replace(/\/*$/, '/'),
  )
  return registryOfMachine
}

/**
 * Returns the packages that npm installs on this machine: those that the project and its workspaces need, without optional packages for
 * other machines, and without what only these need.
 */
export function listForThisMachine({ packages }: Lock): LockedEntry[] {
  const needed = new Set<string>()
  const waiting = Object.keys(packages).filter((path) => !path.includes('node_modules/'))
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })
    for (const name of names) {
      const found = findInstalled(packages, path, name)
      if (found === undefined || needed.has(found) || !isForThisMachine(packages[found] ?? {})) continue
      needed.add(found)
      waiting.push(found)
    }
  }
  return Object.entries(packages).filter(
    ([path, { link }]) => needed.has(path) || link === true || (path !== '' && !path.includes('node_modules/')),
  )
}

/** Returns the path of the package that another package imports by a name, as Node resolves it. */
function findInstalled(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[path] !== undefined) return path
    if (folder === '') return undefined
  }
}

function isForThisMachine({ os, cpu, libc }: LockedPackage): boolean {
  return fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, isWithGlibc() ? 'glibc' : 'musl')
}

/** @param allowed the names of a package: `['linux', 'darwin']`, `['!win32']` or `'glibc'` */
function fits(allowed: string | readonly string[] | undefined, name: string): boolean {
  const names = [allowed ?? []].flat()
  if (names.length === 0 || names.includes('any')) return true
  if (names.includes(`!${name}`)) return false
  return names.includes(name) || names.every((each) => each.startsWith('!'))
}

let hasGlibc: boolean | undefined

function isWithGlibc(): boolean {
  hasGlibc ??= readReport().header?.glibcVersionRuntime !== undefined
  return hasGlibc
}

interface Report {
  readonly header?: { readonly glibcVersionRuntime?: string }
}

function readReport(): Report {
  return process.report.getReport()
}

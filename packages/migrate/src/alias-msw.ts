import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

import { addOverride } from './pnpm-workspace.ts'
import type { Project } from './project.ts'

/** The fields of a manifest that replace a package everywhere in the tree of dependencies. */
export interface Replacements {
  overrides?: Record<string, unknown>
  resolutions?: Record<string, string>
  pnpm?: { overrides?: Record<string, string> }
}

/** Packages that import from `msw`, beside those under `@msw` and `@mswjs`, or generate files that do. */
const companions = new Set([
  '@graphql-codegen/typescript-msw',
  '@kubb/plugin-msw',
  'msw-auto-mock',
  'msw-snapshot',
  'msw-trpc',
  'openapi-msw',
  'playwright-msw',
])

interface Generator {
  readonly name: string
  readonly configuration: RegExp
  /** What a configuration that asks for handlers contains. */
  readonly option: RegExp
  /** What a script of the manifest that asks for handlers contains. */
  readonly command: RegExp
}

/** Generators that import from `msw` only if their configuration asks for handlers. */
const generators: readonly Generator[] = [
  {
    name: 'orval',
    configuration: /(?:^|\/)orval\.config\.[cm]?[jt]s$/,
    option: /\bmock['"]?\s*:(?!\s*false\b)|\bmock\s*[,}]/,
    command: /\borval\b[^|;&]*\s--mock\b/,
  },
  {
    name: '@hey-api/openapi-ts',
    configuration: /(?:^|\/)openapi-ts\.config\.[cm]?[jt]s$/,
    option: /['"]msw['"]/,
    command: /\bopenapi-ts\b[^|;&]*\s(?:-p|--plugins)\s[^|;&]*\bmsw\b/,
  },
]

/**
 * Returns whether a package needs `msw` after the migration. The next run of a generator would write imports from `msw`
 * again, whatever the migration changes in the generated files.
 */
export function needsMsw(project: Project, name: string): boolean {
  if (/^@msw(?:js)?\//.test(name) || companions.has(name)) return true
  const generator = generators.find((each) => each.name === name)
  if (!generator) return false
  const { scripts = {} } = JSON.parse(project.read('package.json')) as { scripts?: Record<string, string> }
  return (
    Object.values(scripts).some((script) => generator.command.test(script)) ||
    project.scripts.some((path) => isAskingForHandlers(project, generator, path))
  )
}

/** Returns whether a file is the configuration of a generator that keeps writing imports from `msw`, by the alias. */
export function isConfigurationWithAlias(project: Project, path: string): boolean {
  if (!project.read('package.json').includes('"npm:@understudy/msw@')) return false
  return generators.some((generator) => isAskingForHandlers(project, generator, path))
}

function isAskingForHandlers(project: Project, { configuration, option }: Generator, path: string): boolean {
  return configuration.test(path) && option.test(project.read(path))
}

/**
 * Replaces `msw` everywhere in the tree of dependencies, in the form of the project's package manager. Each of them reads
 * replacements only from the root of a workspace.
 *
 * @param specifier `npm:@understudy/msw@^1.0.0`
 */
export function replaceMsw(project: Project, manifest: Replacements, specifier: string): void {
  const manager = findPackageManager(project.root)
  const isRoot = relative(project.root, manager.root) === ''
  if (manager.name === 'pnpm') replaceForPnpm(project, manifest, manager, specifier)
  else if (!isRoot) {
    const field = manager.name === 'yarn' ? 'resolutions' : 'overrides'
    noteRoot(project, manager.root, 'package.json', `Add "${field}": { "msw": "${specifier}" } to this file`)
  } else if (manager.name === 'yarn') manifest.resolutions = { ...manifest.resolutions, msw: specifier }
  else manifest.overrides = { ...manifest.overrides, msw: '$msw' }
}

/**
 * pnpm 1–9 read overrides from `package.json`, pnpm 11 reads them from `pnpm-workspace.yaml`. pnpm 10 reads the file only
 * if the manifest has none.
 *
 * @see https://pnpm.io/settings#overrides
 */
function replaceForPnpm(
  project: Project,
  manifest: Replacements,
  { root, major }: PackageManager,
  specifier: string,
): void {
  const path = 'pnpm-workspace.yaml'
  const isRoot = relative(project.root, root) === ''
  const file = readFile(join(root, path))
  const { pnpm } = isRoot ? manifest : readManifest(root)
  if (major < 10 || (major < 11 && pnpm?.overrides)) {
    if (isRoot) manifest.pnpm = { ...pnpm, overrides: { ...pnpm?.overrides, msw: specifier } }
    else noteRoot(project, root, 'package.json', `Add "pnpm": { "overrides": { "msw": "${specifier}" } } to this file`)
    return
  }
  // pnpm 9 fails if the file has no packages.
  const text = isRoot ? addOverride(file ?? 'packages:\n  - .\n', 'msw', specifier) : undefined
  if (text === undefined) noteRoot(project, root, path, `Add "msw: ${specifier}" to "overrides" in this file`)
  else project.write(path, text)
}

/** Adds a note to a file of the workspace's root, which may be above the project. */
function noteRoot(project: Project, root: string, file: string, text: string): void {
  const path = relative(project.root, join(root, file)).split(sep).join('/')
  project.note(path, `${text}, because the package manager reads it only there.`)
}

interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn'
  /** The root of the workspace. */
  readonly root: string
  /** 10 if unknown, because pnpm 10 reads all forms. */
  readonly major: number
}

/** Bun reads replacements as npm does. */
const lockfiles = [
  { file: 'pnpm-workspace.yaml', name: 'pnpm' },
  { file: 'pnpm-lock.yaml', name: 'pnpm' },
  { file: 'yarn.lock', name: 'yarn' },
  { file: 'package-lock.json', name: 'npm' },
  { file: 'npm-shrinkwrap.json', name: 'npm' },
  { file: 'bun.lock', name: 'npm' },
  { file: 'bun.lockb', name: 'npm' },
] as const

/**
 * Finds the package manager by `packageManager` in the manifests of the project's folder and those above it, or else by
 * the lockfile. Without both, assumes npm.
 */
function findPackageManager(folder: string): PackageManager {
  const folders = findFolders(folder)
  const declared = folders.flatMap((root) => {
    const [, name = '', major] = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(readManifest(root).packageManager ?? '') ?? []
    return name === '' ? [] : [{ root, name: name === 'bun' ? 'npm' : (name as PackageManager['name']), major }]
  })[0]
  const found = folders.flatMap((root) =>
    lockfiles.filter(({ file }) => existsSync(join(root, file))).map(({ name }) => ({ root, name })),
  )
  const locked = found.find(({ name }) => !declared || name === declared.name)
  const { name, root } = locked ?? declared ?? { name: 'npm', root: folder }
  return { name, root, major: Number(declared?.major ?? findMajorByLockfile(root)) }
}

/** pnpm 8 and earlier write other versions of the lockfile. pnpm 9 and later write the same. */
function findMajorByLockfile(root: string): number {
  const version = /^lockfileVersion: *'?(\d+)/m.exec(readFile(join(root, 'pnpm-lock.yaml')) ?? '')?.[1]
  return version !== undefined && Number(version) < 9 ? 8 : 10
}

/** Returns the folder and those above it, up to the root of the repository. */
function findFolders(folder: string): string[] {
  const folders = [folder]
  for (let each = folder; !existsSync(join(each, '.git')) && dirname(each) !== each;) {
    each = dirname(each)
    folders.push(each)
  }
  return folders
}

function readManifest(folder: string): Replacements & { packageManager?: string } {
  return JSON.parse(readFile(join(folder, 'package.json')) ?? '{}') as ReturnType<typeof readManifest>
}

function readFile(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

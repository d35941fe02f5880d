import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Project } from './project.ts'

/** The fields of a manifest that replace a package everywhere in the tree of dependencies. */
export interface Replacements {
  overrides?: Record<string, unknown>
  resolutions?: Record<string, string>
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

/** Generators that import from `msw` only if their configuration asks for handlers. */
const generators = [
  { name: 'orval', configuration: /^orval\.config\.[cm]?[jt]s$/, option: /\bmock\b/ },
  { name: '@hey-api/openapi-ts', configuration: /^openapi-ts\.config\.[cm]?[jt]s$/, option: /['"]msw['"]/ },
]

/**
 * Returns whether a package needs `msw` after the migration. The next run of a generator would write imports from `msw`
 * again, whatever the migration changes in the generated files.
 */
export function needsMsw(project: Project, name: string): boolean {
  if (/^@msw(?:js)?\//.test(name) || companions.has(name)) return true
  const generator = generators.find((each) => each.name === name)
  if (!generator) return false
  const { configuration, option } = generator
  const isAsked = (path: string): boolean => option.test(project.read(path))
  return project.scripts.some((path) => configuration.test(path) && isAsked(path)) || isOptionOfScript(project, name)
}

/** `orval --input api.yaml --mock` */
function isOptionOfScript(project: Project, name: string): boolean {
  const { scripts = {} } = JSON.parse(project.read('package.json')) as { scripts?: Record<string, string> }
  return name === 'orval' && Object.values(scripts).some((script) => /\borval\b.*\s--mock\b/.test(script))
}

/**
 * Replaces `msw` everywhere in the tree of dependencies, in the form of the project's package manager. Each of them reads
 * replacements only from the root of a workspace.
 *
 * @param specifier `npm:@understudy/msw@^1.0.0`
 */
export function replaceMsw(project: Project, manifest: Replacements, specifier: string): void {
  const { name, root } = findPackageManager(project.root)
  if (name === 'pnpm') replaceForPnpm(project, root, specifier)
  else if (root !== project.root) {
    const replacement =
      name === 'yarn' ? `"resolutions": { "msw": "${specifier}" }` : `"overrides": { "msw": "${specifier}" }`
    project.note('package.json', `Add ${replacement} to the package.json of the workspace root.`)
  } else if (name === 'yarn') manifest.resolutions = { ...manifest.resolutions, msw: specifier }
  else manifest.overrides = { ...manifest.overrides, msw: '$msw' }
}

function replaceForPnpm(project: Project, root: string, specifier: string): void {
  const path = 'pnpm-workspace.yaml'
  const text = root === project.root ? (project.has(path) ? project.read(path) : '') : undefined
  const line = `msw: ${specifier}`
  if (text === undefined || /^overrides:[ \t]*\S/m.test(text)) {
    project.note('package.json', `Add "${line}" to "overrides" in the pnpm-workspace.yaml of the workspace root.`)
    return
  }
  const indent = /^overrides:[^\n]*\n([ \t]+)/m.exec(text)?.[1] ?? '  '
  if (/^overrides:/m.test(text)) project.write(path, text.replace(/^overrides:[^\n]*\n/m, `$&${indent}${line}\n`))
  else project.write(path, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}overrides:\n${indent}${line}\n`)
}

const lockfiles = [
  { file: 'pnpm-workspace.yaml', name: 'pnpm' },
  { file: 'pnpm-lock.yaml', name: 'pnpm' },
  { file: 'yarn.lock', name: 'yarn' },
  { file: 'package-lock.json', name: 'npm' },
  { file: 'bun.lock', name: 'npm' },
] as const

/** Finds the package manager by the lockfile in the folder of the project or above it. Without one, assumes npm. */
function findPackageManager(folder: string): { name: 'npm' | 'pnpm' | 'yarn'; root: string } {
  for (let root = folder; ; root = dirname(root)) {
    const found = lockfiles.find(({ file }) => existsSync(join(root, file)))
    if (found) return { name: found.name, root }
    if (dirname(root) === root || existsSync(join(root, '.git'))) return { name: 'npm', root: folder }
  }
}

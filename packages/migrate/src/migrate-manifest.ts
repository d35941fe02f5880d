import type { Project } from './project.ts'

interface Manifest {
  msw?: unknown
  workspaces?: unknown
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  overrides?: Record<string, unknown>
}

const sections = ['dependencies', 'devDependencies'] as const

/** Packages that import from `msw`, beside those under `@msw` and `@mswjs`. */
const companions = new Set(['openapi-msw', 'msw-trpc', 'msw-auto-mock', 'playwright-msw', 'msw-snapshot'])

/**
 * Replaces `msw` and `msw-storybook-addon` in the dependencies, and removes MSW's own field.
 *
 * @param packages the packages to add in addition to the engine
 * @returns whether the manifest names one of them
 */
export function migrateManifest(project: Project, packages: readonly string[], version: string): boolean {
  const path = 'package.json'
  const text = project.read(path)
  const manifest = JSON.parse(text) as Manifest
  const section = sections.find((each) => manifest[each]?.['msw'] ?? manifest[each]?.['msw-storybook-addon'])
  delete manifest.msw
  if (section) {
    const others = sections.flatMap((each) => Object.keys(manifest[each] ?? {})).filter(needsMsw)
    const names = new Set(['@understudy/engine', ...packages])
    for (const each of sections) {
      const list = manifest[each]
      if (!list) continue
      delete list['msw-storybook-addon']
      delete list['msw']
    }
    const list = (manifest[section] ??= {})
    for (const name of names) list[name] = `^${version}`
    if (others.length > 0) {
      list['msw'] = `npm:@understudy/msw@^${version}`
      manifest.overrides = { ...manifest.overrides, msw: '$msw' }
      project.note(path, `${others.join(', ')} import from "msw": the name stands for @understudy/msw now.`)
    }
    manifest[section] = Object.fromEntries(Object.entries(list).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
  for (const [name, script] of Object.entries(manifest.scripts ?? {})) {
    if (/\bmsw init\b/.test(script))
      project.note(path, `The script "${name}" runs "msw init". Remove that: the worker needs no copy.`)
  }
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  const migrated = `${JSON.stringify(manifest, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`
  if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(manifest)) project.write(path, migrated)
  return section !== undefined
}

function needsMsw(name: string): boolean {
  return /^@msw(?:js)?\//.test(name) || companions.has(name)
}

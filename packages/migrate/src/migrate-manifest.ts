import { needsMsw, replaceMsw, type Replacements } from './alias-msw.ts'
import type { Project } from './project.ts'

interface Manifest extends Replacements {
  msw?: unknown
  workspaces?: unknown
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, unknown>
}

const sections = ['dependencies', 'devDependencies'] as const

/**
 * Replaces `msw` and `msw-storybook-addon` in the dependencies, and removes MSW's own field.
 *
 * @param packages the packages to add in addition to the engine
 * @param hasPlugin whether a plugin serves the worker, so that no script has to copy it
 * @returns whether the manifest names one of them
 */
export function migrateManifest(
  project: Project,
  packages: readonly string[],
  { version, hasPlugin }: { readonly version: string; readonly hasPlugin: boolean },
): boolean {
  const path = 'package.json'
  const text = project.read(path)
  const manifest = JSON.parse(text) as Manifest
  const section = sections.find((each) => manifest[each]?.['msw'] ?? manifest[each]?.['msw-storybook-addon'])
  delete manifest.msw
  if (section) {
    const others = sections
      .flatMap((each) => Object.keys(manifest[each] ?? {}))
      .filter((name) => needsMsw(project, name))
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
      const specifier = `npm:@understudy/msw@^${version}`
      list['msw'] = specifier
      replaceMsw(project, manifest, specifier)
      project.note(path, `Code of ${others.join(', ')} imports from "msw". This name now stands for @understudy/msw.`)
    }
    manifest[section] = Object.fromEntries(Object.entries(list).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
  renamePeer(manifest, `^${version}`)
  // `msw init` of @understudy/msw copies Understudy's worker. With a plugin, nothing uses the copy.
  if (hasPlugin || (!manifest.devDependencies?.['msw'] && !manifest.dependencies?.['msw'])) {
    removeInit(project, manifest)
    noteInit(project)
  }
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  const migrated = `${JSON.stringify(manifest, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`
  if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(manifest)) project.write(path, migrated)
  return section !== undefined
}

/** Renames the peer dependency of a package of mocks, with its entry in `peerDependenciesMeta`. */
function renamePeer({ peerDependencies, peerDependenciesMeta }: Manifest, range: string): void {
  if (!peerDependencies?.['msw']) return
  delete peerDependencies['msw']
  peerDependencies['@understudy/engine'] = range
  if (peerDependenciesMeta?.['msw'] === undefined) return
  peerDependenciesMeta['@understudy/engine'] = peerDependenciesMeta['msw']
  delete peerDependenciesMeta['msw']
}

/** A command of a script that copies MSW's worker. */
const init =
  /^(?:(?:npx|pnpm(?: exec| dlx)?|yarn(?: dlx)?|bunx)\s+(?:-y\s+|--yes\s+)?)?msw(?:@[\w.^~-]+)?\s+init\b[^|;&]*$/

/** Where a script or another file copies MSW's worker. */
const anyInit = /\bmsw(?:@[\w.^~-]+)?\s+init\b|\bmsw\/(?:lib\/)?mockServiceWorker\.js\b/

const adviceForInit = 'Remove the command, because the worker does not have to be copied.'

/** Adds notes to files outside of the code that copy MSW's worker, such as workflows and Dockerfiles. */
function noteInit(project: Project): void {
  for (const path of project.paths) {
    if (
      !/(?:\.(?:ya?ml|sh|bash|toml|ps1|bat)|(?:^|\/)(?:[\w.]*Dockerfile[\w.]*|Makefile|justfile|\.husky\/[\w-]+))$/.test(
        path,
      )
    )
      continue
    for (const [index, line] of project.read(path).split('\n').entries()) {
      if (anyInit.test(line)) project.note(path, `This line copies MSW's worker. ${adviceForInit}`, index + 1)
    }
  }
}

/**
 * Removes `msw init` from the scripts. If the package `msw` is gone, a `postinstall` with it would fail. If not, the copy
 * would become a part of the build.
 */
function removeInit(project: Project, manifest: Manifest): void {
  const scripts = manifest.scripts ?? {}
  for (const [name, script] of Object.entries(scripts)) {
    if (!anyInit.test(script)) continue
    const kept = script.split('&&').filter((command) => !init.test(command.trim()))
    const isNamed = Object.values(scripts).some((other) => new RegExp(`\\brun\\s+${name}\\b`).test(other))
    if (kept.some((command) => anyInit.test(command)) || (kept.length === 0 && isNamed))
      project.note('package.json', `The script "${name}" copies MSW's worker. ${adviceForInit}`)
    else if (kept.length === 0) delete scripts[name]
    else scripts[name] = kept.join('&&').trim()
  }
}

import { addToConfiguration } from './add-to-configuration.ts'
import { isConfigurationWithAlias } from './alias-msw.ts'
import { findBuildTool, type BuildTool } from './build-tools.ts'
import { migrateJest, noteJest } from './migrate-jest.ts'
import { migrateManifest } from './migrate-manifest.ts'
import { migrateStorybook } from './migrate-storybook.ts'
import { noteTypeScript } from './note-type-script.ts'
import type { Project } from './project.ts'
import { removeStartCode } from './remove-start-code.ts'
import { parseOrNote, rewriteImports } from './rewrite-imports.ts'
import { bringHandlers, findWorkerModules, type WorkerModule } from './worker-set-up.ts'

interface Engine {
  /** The version of all Understudy packages, for the manifest. */
  readonly version: string
  /** The text of the service worker, for projects whose build tool has no plugin. */
  readonly worker: string
  /** Whether the worker starts in another project of the repository, such as a package of mocks that apps share. */
  readonly isSharing?: boolean
  /** Whether the project depends on another one of the repository that uses MSW. */
  readonly isImporting?: boolean
}

/**
 * Changes a project, in memory, from MSW to Understudy.
 *
 * @returns the plugins that the project needs but that are not added to its manifest, because it does not depend on MSW
 */
export function migrate(
  project: Project,
  { version, worker, isSharing = false, isImporting = false }: Engine,
): string[] {
  const isUsing = isUsingMsw(project)
  if (!isUsing && isImporting) noteJest(project)
  if (!isUsing && !(isSharing && project.paths.some(isWorkerFile))) {
    noteWorkerFile(project)
    return []
  }
  const packages = new Set<string>()
  // The worker of `addonMsw(() => setupWorker())` belongs to Storybook.
  const workers = findWorkerModules(project).filter(({ text }) => !text.includes('msw-storybook-addon'))
  const tool = migrateVitePlugin(project, packages) ? undefined : findBuildTool(project)
  if (tool) {
    for (const each of workers) usePlugin(project, tool, each)
    if (workers.length > 0) packages.add(tool.tool.package)
    const isOfNext = tool.path.startsWith('next.config')
    if (workers.length > 0 && isOfNext) noteServerStart(project, instrumentations, 'withUnderstudy()')
    else if (packages.has('@understudy/vite-plugin')) noteServerStart(project, serverEntries, 'The plugin')
  } else if (workers.length > 0 && project.has('angular.json')) {
    project.note('angular.json', `The page keeps setupWorker(). To remove it, use Understudy's builder for Angular 22.`)
  }
  const hasStorybook = project.scripts.some((path) => project.read(path).includes('msw-storybook-addon'))
  // Do this before the worker's file is deleted, because a folder of `staticDirs` may disappear with it.
  const hasPlugin = packages.size > 0
  const isServed = hasPlugin || (workers.length === 0 && !isSharing)
  const isStarted = packages.size > 0 || workers.length > 0 || isSharing || hasStorybook
  if (isStarted) replaceWorkerFile(project, isServed ? undefined : worker)
  else noteWorkerFile(project)
  if (hasStorybook) {
    migrateStorybook(project)
    packages.add('@understudy/storybook-addon')
  }
  // `initialize()` of msw-storybook-addon may name the worker, and is gone by now.
  if (isStarted) replaceWorkerName(project, isServed ? undefined : worker)
  rewriteImports(project)
  noteTypeScript(project)
  if (isUsing) migrateJest(project)
  const isNamed = migrateManifest(project, [...packages], { version, hasPlugin })
  noteLeftovers(project)
  return isNamed ? [] : [...packages]
}

/** Returns whether a project names MSW. */
export function isUsingMsw(project: Project): boolean {
  const isNamed = (path: string): boolean => /['"](?:msw|msw-storybook-addon)['"/]/.test(project.read(path))
  return project.scripts.some(isNamed) || isNamed('package.json')
}

function isWorkerFile(path: string): boolean {
  return path.endsWith('mockServiceWorker.js')
}

/** Replaces the worker module and its start code with the plugin. */
function usePlugin(project: Project, { tool, path }: { tool: BuildTool; path: string }, worker: WorkerModule): void {
  const handlers = bringHandlers(project, worker)
  const options = removeStartCode(project, worker)
  if (handlers) options.set('handlers', `'${handlers}'`)
  if (tool.package === '@understudy/vite-plugin' && hasServerInTests(project)) {
    options.set('vitest', 'false')
    project.note(
      path,
      'The tests keep their own setupServer(). To let the plugin mock them, remove it and the option "vitest".',
    )
  }
  addToConfiguration(project, path, tool.toAddition(toObject(options)))
}

function hasServerInTests(project: Project): boolean {
  return project.scripts.some((path) => project.read(path).includes('setupServer('))
}

/** Replaces MSW 3's plugin in the Vite configuration. @returns whether there was one */
function migrateVitePlugin(project: Project, packages: Set<string>): boolean {
  const path = project.scripts.find((each) => /['"]msw\/vite['"]/.test(project.read(each)))
  if (!path) return false
  const text = project.read(path)
  const name = /import\s+(?:\{\s*)?(\w+)(?:\s+as\s+(\w+))?[\s}]*from\s*['"]msw\/vite['"]/.exec(text)
  const local = name?.[2] ?? name?.[1]
  if (!local || !parseOrNote(project, path, text)) return false
  project.write(
    path,
    text
      .replace(/import[^'"]*from\s*(['"])msw\/vite['"]/, 'import understudy from $1@understudy/vite-plugin$1')
      .replace(new RegExp(`\\b${local}\\(`, 'g'), 'understudy('),
  )
  if (new RegExp(`\\b${local}\\(\\s*\\S`).test(text) && !new RegExp(`\\b${local}\\(\\s*\\)`).test(text)) {
    project.note(path, 'This plugin has other options. See "Options" in the documentation of the Vite plugin.')
  }
  packages.add('@understudy/vite-plugin')
  return true
}

/** Deletes the copies of MSW's worker. A project without a plugin gets Understudy's worker instead. */
function replaceWorkerFile(project: Project, worker: string | undefined): void {
  for (const path of project.paths.filter(isWorkerFile)) {
    project.remove(path)
    if (worker === undefined) continue
    const target = path.replace('mockServiceWorker.js', 'understudy-worker.js')
    project.write(target, worker)
    project.note(target, 'Copy this file from @understudy/engine/dist/worker.js again when you update the engine.')
  }
}

/** Adds a note to the copies of MSW's worker in a project in which no code starts it, because a package may start it. */
function noteWorkerFile(project: Project): void {
  for (const path of project.paths.filter(isWorkerFile)) {
    project.note(
      path,
      'This file stays, because no code here starts the worker. If a package of your repository starts it, run the command in the root of the repository. If no package starts it, delete the file.',
    )
  }
}

/** Replaces the name of MSW's worker in scripts, or adds a note where no file replaces it. */
function replaceWorkerName(project: Project, worker: string | undefined): void {
  for (const path of project.scripts) {
    const text = project.read(path)
    if (path.endsWith('understudy-worker.js') || !text.includes('mockServiceWorker.js')) continue
    if (worker === undefined)
      project.note(
        path,
        'This file names mockServiceWorker.js, which no longer exists.',
        lineOf(text, 'mockServiceWorker.js'),
      )
    else project.write(path, text.replaceAll('mockServiceWorker.js', 'understudy-worker.js'))
  }
}

/** The file by which Next.js starts MSW's server. */
const instrumentations = /^(?:src\/)?instrumentation(?:[.-]node)?\.[jt]s$/

/** The files by which SvelteKit and React Router start MSW's server. */
const serverEntries = /^(?:src|app)\/(?:hooks|entry)\.server\.[jt]sx?$/

/** Adds a note to code that starts MSW's server in the dev server, because the plugin mocks the dev server's requests, too. */
function noteServerStart(project: Project, files: RegExp, plugin: string): void {
  for (const path of project.scripts.filter((each) => files.test(each))) {
    const text = project.read(path)
    // Another server may listen in this file.
    if (!text.includes('.listen(') || !/['"][^'"\n]*(?:mock|msw)/i.test(text)) continue
    project.note(
      path,
      `${plugin} mocks the requests of the server. Remove this code that starts a server of mocks.`,
      lineOf(text, '.listen('),
    )
  }
}

/** Adds notes for remaining names of MSW: in configurations of tools, and in files that are not parsed. */
function noteLeftovers(project: Project): void {
  const named = /['"](?:msw(?:-storybook-addon)?(?:\/[\w/-]+)?|virtual:msw)['"]/g
  for (const path of project.paths) {
    if (!/\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx|json)$/.test(path) || /(?:package|lock)[^/]*\.json$/.test(path))
      continue
    if (isConfigurationWithAlias(project, path) || path.endsWith('understudy-worker.js')) continue
    const text = project.read(path)
    for (const { 0: name, index } of text.matchAll(named)) {
      project.note(path, `This file still names ${name}.`, lineAt(text, index))
    }
  }
}

function lineOf(text: string, part: string): number {
  return lineAt(text, text.indexOf(part))
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function toObject(options: ReadonlyMap<string, string>): string {
  if (options.size === 0) return ''
  return `{ ${[...options].map(([name, value]) => `${name}: ${value}`).join(', ')} }`
}

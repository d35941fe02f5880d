import { join } from 'node:path'

import { rolldown, type ChunkingContext, type CodeSplittingGroup, type OutputChunk, type Plugin } from 'rolldown'

import manifest from './package.json' with { type: 'json' }

const directory = import.meta.dirname

/**
 * The files that entries share, by their names in `dist/shared`. A file has the modules listed here and everything that they
 * import, except what an earlier file has. So files never import each other in a circle.
 *
 * Bundlers decide by whole files what a page loads first. Code that loads later must not be in a file with code that loads
 * first, and code of a protocol not in a file with code that every page needs.
 */
const sharedFiles: Readonly<Record<string, readonly string[]>> = {
  // esbuild loads a file that `index.js` re-exports first, if any code uses it.
  handlers: [
    'http/http.ts',
    ...inFolder('core/responses', ['http-response', 'delay', 'passthrough', 'bypass']),
    'core/unhandled/is-common-asset-request.ts',
    // esbuild would split the first bundle if a file that loads later imported the handlers without the network.
    'core/network/network.ts',
  ],
  unhandled: ['core/unhandled/unhandled-request.ts'],
  'setup-worker': inFolder('browser', ['start/setup-worker', 'gate/gate', 'lifecycle/time-outs']),
  mocking: ['browser/start/mocking.ts'],
  'handle-request': [
    ...inFolder('core', [
      'network/handle-request',
      'create-id',
      'edit-distance',
      'source',
      'abort-controller',
      'event-handlers',
    ]),
    ...inFolder('ws', ['web-socket-class', 'web-socket-side']),
  ],
  'get-response': [
    ...inFolder('core', ['network/get-response', 'handlers/custom-handler']),
    ...inFolder('core/routing', ['match-request-url', 'clean-url']),
    ...inFolder('http', ['typed-http', 'http-methods']),
  ],
  'event-source': inFolder('sse', ['fetch-event-source', 'event-source-class', 'open-streams']),
  'start-mocking': inFolder('browser', ['start/start-mocking', 'gate/wrap-property']),
  'install-gate': ['browser/gate/install-gate.ts'],
  fetch: inFolder('core/fetch', ['check-integrity', 'fetched-response', 'redirect']),
  'unhandled-report': ['core/unhandled/unhandled-report.ts'],
  'answer-in-page': inFolder('browser/in-page', [
    'in-page-source',
    'beside-worker',
    'xml-http-request/create-xml-http-request',
  ]),
  'answer-later': ['browser/in-page/answer-later.ts'],
  'open-connection': ['ws/open-connection.ts'],
  'web-worker-sockets': ['browser/connections/web-worker-sockets.ts'],
  chromium: ['browser/chromium/chromium.ts'],
  firefox: ['browser/firefox/firefox.ts'],
  'watch-documents': ['browser/documents/watch-documents.ts'],
  reports: inFolder('browser', ['reports/trace-page', 'reports/report-escaped', 'service-worker/worker-fault']),
  'scenario-switch': ['core/scenarios/scenario-switch.ts'],
  ws: ['ws/ws.ts'],
  sse: ['sse/sse.ts'],
  graphql: ['graphql/graphql.ts'],
  rest: ['rest/rest.ts'],
  inspect: inFolder('inspect', ['inspect', 'share-page']),
}

function inFolder(folder: string, names: readonly string[]): string[] {
  return names.map((name) => `${folder}/${name}.ts`)
}

/**
 * Bundles the entries for browsers and bundlers. Build tools read, parse and keep each file: one per source file made their
 * start and each rebuild slower.
 *
 * @param define what the build replaces
 */
export async function bundleModules(define: Record<string, string>): Promise<void> {
  const build = await rolldown({
    cwd: directory,
    input: Object.fromEntries(listEntries().map((name) => [name, `src/${name}.ts`])),
    external: [/^node:/, 'graphql', ...Object.keys(manifest.dependencies)],
    plugins: [publicSuffixesOfBuild],
    preserveEntrySignatures: 'strict',
    tsconfig: false,
    transform: { define },
    // It warns of a file that an import() does not split off: the file that has it does.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await build.write({
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
    // Editors read the declarations.
    comments: { legal: false, annotation: true, jsdoc: false },
    codeSplitting: { groups: createGroups() },
  })
  await build.close()
  checkCircles(output.filter((each) => each.type === 'chunk'))
}

function createGroups(): CodeSplittingGroup[] {
  return Object.entries(sharedFiles).map(([name, roots], index, { length }) => {
    const modules = new Set<string>()
    const add = (file: string, context: ChunkingContext): void => {
      if (modules.has(file)) return
      modules.add(file)
      for (const imported of context.getModuleInfo(file)?.importedIds ?? []) add(imported, context)
    }
    return {
      debugName: name,
      // A file that several groups claim goes to the one with the highest priority.
      priority: length - index,
      name(id, context) {
        if (modules.size === 0) for (const root of roots) add(join(directory, 'src', root), context)
        return modules.has(id) ? name : null
      },
    }
  })
}

/** Loads the list of public suffixes, 140 kB, from a separate file without imports. */
const publicSuffixesOfBuild: Plugin = {
  name: 'public-suffixes-of-build',
  resolveId(source) {
    if (!source.endsWith('/public-suffixes.ts')) return undefined
    return { id: join(directory, 'dist/node/public-suffixes.js'), external: 'relative' }
  },
}

/** A file that imports one that imports it may run before what it needs. */
function checkCircles(chunks: readonly OutputChunk[]): void {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      const circle = [...path, name].join(' imports ')
      throw new Error(`Failed to bundle the modules: ${circle}. Change the order of the shared files.`)
    }
    if (done.has(name)) return
    for (const each of byName.get(name)?.imports ?? []) visit(each, [...path, name])
    done.add(name)
  }
  for (const name of byName.keys()) visit(name, [])
}

/** Entries of the package that are modules, by the names of their sources, except the one for build tools. */
function listEntries(): string[] {
  const targets = Object.values(manifest.exports).flatMap((each) =>
    typeof each === 'object' ? each['@understudy/source'] : [],
  )
  const names = targets.map((file) => file.replace(/^\.\/src\/|\.ts$/g, ''))
  return ['command', ...names.filter((name) => name !== 'internal-dev')]
}

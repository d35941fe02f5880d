import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'

import { build as bundle, type BuildOptions, type Metafile, type Plugin } from 'esbuild'

import { readLicenses } from '../read-licenses.ts'
import { bundleVersionCheck } from './bundle-version-check.ts'

const directory = import.meta.dirname

/** Entries that Node loads by the condition `node`, by the name that they have in `dist/for-node`. */
const entries = [
  'index',
  'node',
  'server',
  'inspect',
  'internal-node',
  'msw',
  'server-node',
  'faults',
  'scenarios',
  'network',
]

/**
 * Bundles the entries for Node, with the small packages that they need. Entries share one file with what all of them need,
 * so that the engine exists once. `graphql` stays the user's.
 *
 * @param define what the build replaces
 */
export async function bundleForNode(define: Record<string, string>): Promise<void> {
  const options = {
    absWorkingDir: directory,
    entryPoints: entries.map((name) => `src/${name}.ts`),
    outdir: 'dist/for-node',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['graphql'],
    sourcemap: true,
    sourcesContent: false,
    // Half of an import's time is reading.
    minifyWhitespace: true,
    // Node prints the whole source line of an uncaught error.
    lineLimit: 160,
    legalComments: 'none',
    // Whichever file runs first checks the version of Node.
    banner: { js: `// The licenses of what was bundled are in licenses.txt.\n${await bundleVersionCheck()}` },
    metafile: true,
    define,
    logLevel: 'silent',
  } satisfies BuildOptions
  const plugins = [builtinsWithoutFacades, publicSuffixesOfBuild]
  const plain = await bundle({ ...options, plugins, write: false })
  const { metafile } = await bundle({ ...options, plugins: [...plugins, shareOneFile(plain.metafile)] })
  for (const output of Object.keys(metafile.outputs)) {
    if (output.endsWith('.map')) await forgetMissingSources(join(directory, output)).catch(ignoreMissingFile)
  }
  await writeFile(
    join(directory, 'dist/for-node/licenses.txt'),
    await readLicenses(directory, Object.keys(metafile.inputs)),
  )
}

/**
 * Gives an empty text to the sources of a map that the package does not contain: those of bundled packages, and modules that
 * the build made. Vite and Vitest warn about sources that they cannot read.
 */
async function forgetMissingSources(file: string): Promise<void> {
  const map = JSON.parse(await readFile(file, 'utf8')) as { sources: string[]; sourcesContent?: (string | null)[] }
  const isOwn = (source: string): boolean => source.startsWith('../../src/')
  map.sourcesContent = map.sources.map((source) => (isOwn(source) ? null : ''))
  map.sources = map.sources.map((source) => (isOwn(source) ? source : source.replace(/^builtin:|\?.*$/g, '')))
  await writeFile(file, JSON.stringify(map))
}

function ignoreMissingFile(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Loads the list of public suffixes from the file that `dist/node` has: a copy would add 140 kB to the package. */
const publicSuffixesOfBuild: Plugin = {
  name: 'public-suffixes-of-build',
  setup(build) {
    build.onResolve({ filter: /\/public-suffixes\.ts$/ }, () => ({
      path: '../node/public-suffixes.js',
      external: true,
    }))
  },
}

/**
 * Takes Node's modules by `process.getBuiltinModule`. An `import` of one reads every property, and so loads what Node has
 * behind getters: five times as long, two milliseconds for those that the engine needs.
 */
const builtinsWithoutFacades: Plugin = {
  name: 'builtins-without-facades',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      // Fake timers change the module itself, maybe before the engine loads. What an import names is as Node had it.
      if (path === 'node:timers') return undefined
      // One module for each importer: common files would become separate chunks.
      return { path, namespace: 'builtin', suffix: `?${importer}`, sideEffects: false }
    })
    build.onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => name !== 'default')
      const contents = [
        `const builtin = process.getBuiltinModule(${JSON.stringify(path)})`,
        'const take = (name) => builtin[name]',
        'export default builtin',
        ...names.map((name) => `export const ${name} = /* @__PURE__ */ take(${JSON.stringify(name)})`),
      ]
      return { contents: contents.join('\n'), loader: 'js' }
    })
  },
}

const unhandledReport = 'src/core/unhandled/unhandled-report.ts'

/**
 * Puts what the entry `index` shares with others into one file, and the parts of `core` that the entry `node` shares with
 * others. esbuild makes a file for each set of entries that share something, and each file that Node opens takes as long as
 * twenty kilobytes of another.
 *
 * @param metafile of a build without this plugin
 */
function shareOneFile({ outputs }: Metafile): Plugin {
  const files = Object.values(outputs)
  // An `import()` begins an entry, too.
  const starts = files.flatMap(({ entryPoint }) => entryPoint ?? [])
  const inputsOfImports = (entry: string): string[][] =>
    (files.find(({ entryPoint }) => entryPoint === entry)?.imports ?? [])
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => Object.keys(outputs[path]?.inputs ?? {}))
  const shared = inputsOfImports('src/index.ts')
    // Evaluating `core` loads none of Node's modules, so that `index` loads hardly slower.
    .concat(inputsOfImports('src/node.ts').filter((inputs) => inputs.every((file) => file.startsWith('src/core/'))))
    .flat()
    // The entry `index` does not import it, and all others do.
    .concat(Object.keys(files.find(({ inputs }) => unhandledReport in inputs)?.inputs ?? {}))
    .filter((file) => file.startsWith('src/'))
  const sharedPaths = new Set(shared.map((file) => resolve(directory, file)))
  const startPaths = new Set(starts.map((file) => resolve(directory, file)))
  return {
    name: 'share-one-file',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const file = resolve(resolveDir, path)
        // Otherwise, esbuild drops the imports that are added below, because no code uses their names.
        return sharedPaths.has(file) ? { path: file, sideEffects: true } : undefined
      })
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!startPaths.has(path)) return undefined
        const source = await readFile(path, 'utf8')
        const imports = [...sharedPaths].map((file) => `import ${JSON.stringify(`./${relative(dirname(path), file)}`)}`)
        return { contents: [source, ...imports].join('\n'), loader: 'ts' }
      })
    },
  }
}

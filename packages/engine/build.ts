/**
 * Builds the package: `tsc` emits the declarations of every source file, and the code is bundled into few files, because build
 * tools and Node take time for each file. What a browser loads as one classic script (it cannot follow imports there) is bundled
 * from the same sources.
 */
import { spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { build } from 'esbuild'

import root from '../../package.json' with { type: 'json' }
import { readLicenses } from '../read-licenses.ts'
import { bundleForBuildTools } from './bundle-for-build-tools.ts'
import { bundleForNode } from './bundle-for-node.ts'
import { bundleModules } from './bundle-modules.ts'
import { bundleVersionCheck } from './bundle-version-check.ts'
import manifest from './package.json' with { type: 'json' }

const directory = import.meta.dirname

/**
 * What a build replaces: page and worker find out by the version whether they belong together, and messages link to the pages of
 * their codes once the project has a home page.
 */
export const constants: Record<string, string> = {
  __UNDERSTUDY_VERSION__: JSON.stringify(manifest.version),
  __UNDERSTUDY_ERROR_PAGES__: JSON.stringify(toErrorPages((root as { homepage?: string }).homepage)),
}

/** The address of the folder of the codes' pages, with a slash at its end. Empty if the project has no home page. */
export function toErrorPages(homepage: string | undefined): string {
  return homepage ? `${homepage.replace(/\/$/, '')}/errors/` : ''
}

/** Sources of the classic scripts, by the name that they have in `dist`. */
export const classicScripts = {
  'worker.js': 'src/worker/service-worker.ts',
  'gate.js': 'src/browser/gate/gate-script.ts',
  'web-worker.js': 'src/web-worker/web-worker-script.ts',
} as const

/**
 * Bundles one source file into one classic script: no imports, no exports, nothing on the global
 * object but what it puts there itself.
 *
 * @param entry the source file, relative to the package: `'src/worker/service-worker.ts'`
 * @throws when the source does not compile; the message names file and line
 */
export async function bundleClassicScript(entry: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: directory,
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    // Names stay readable: developers meet these scripts in the browser's developer tools.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    define: constants,
    write: false,
    logLevel: 'silent',
  })
  const [script] = outputFiles
  if (!script) throw new Error(`Failed to bundle ${entry}: esbuild wrote nothing. Look at the file.`)
  return script.text
}

/** Entries that Jest loads by the condition `@understudy/jest`, by the name that they have in `dist/for-jest`. */
const jestEntries = [
  'index',
  'browser',
  'node',
  'server',
  'inspect',
  'msw',
  'server-node',
  'faults',
  'scenarios',
  'network',
  'native',
]

/** `server-node` is not a valid variable name. */
function toIdentifier(entry: string): string {
  return entry.replaceAll('-', '_')
}

/**
 * Bundles the entries for Jest, whose own loader runs only scripts: one script with all that they need (packages as
 * well, which it would refuse likewise), and one for each entry that takes its part of it. `graphql` stays the user's.
 */
async function bundleForJest(): Promise<void> {
  const folder = join(directory, 'dist/for-jest')
  const { metafile } = await build({
    absWorkingDir: directory,
    stdin: {
      contents: jestEntries.map((name) => `export * as ${toIdentifier(name)} from './src/${name}.ts'`).join('\n'),
      resolveDir: directory,
      loader: 'ts',
    },
    outfile: join(folder, 'all.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    external: ['graphql'],
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
    // The names of classes and functions are for the console and for snapshots of Jest.
    minifyIdentifiers: true,
    keepNames: true,
    // Node prints a line of it for an uncaught error.
    lineLimit: 160,
    legalComments: 'none',
    define: constants,
    metafile: true,
    banner: { js: '// The licenses of what was bundled are in licenses.txt.' },
    logLevel: 'silent',
  })
  await writeFile(join(folder, 'licenses.txt'), await readLicenses(directory, Object.keys(metafile.inputs)))
  const check = await bundleVersionCheck()
  const all = createRequire(import.meta.url)(join(folder, 'all.cjs')) as Record<string, object>
  for (const name of jestEntries) {
    const id = toIdentifier(name)
    // Jest 29 reads the names of exports from the text, for `import` in ECMAScript modules. This list never runs.
    const names = `0 && (module.exports = { ${Object.keys(all[id] ?? {}).join(', ')} })`
    await writeFile(join(folder, `${name}.cjs`), `${check}\nmodule.exports = require('./all.cjs').${id}\n${names}\n`)
  }
}

async function buildPackage(): Promise<void> {
  await rm(join(directory, 'dist'), { recursive: true, force: true })
  const compiler = spawnSync('tsc', ['--project', 'tsconfig.build.json'], {
    cwd: directory,
    stdio: 'inherit',
  })
  if (compiler.error) throw compiler.error
  if (compiler.status !== 0) process.exit(compiler.status ?? 1)
  await bundleModules(constants)
  await bundleForNode(constants)
  await bundleForBuildTools(constants)
  await bundlePublicSuffixes()
  await bundleForJest()
  await Promise.all(
    Object.entries(classicScripts).map(async ([name, entry]) => {
      await writeFile(join(directory, 'dist', name), await bundleClassicScript(entry))
    }),
  )
}

/** Puts the list of public suffixes into the file that reads it. Otherwise, users would have to install a package. */
async function bundlePublicSuffixes(): Promise<void> {
  const outfile = join(directory, 'dist/node/public-suffixes.js')
  const { metafile } = await build({
    absWorkingDir: directory,
    entryPoints: ['src/node/public-suffixes.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: '// The licenses of what this file holds are in public-suffixes.licenses.txt.' },
    metafile: true,
    logLevel: 'silent',
  })
  await writeFile(
    outfile.replace(/\.js$/, '.licenses.txt'),
    await readLicenses(directory, Object.keys(metafile.inputs)),
  )
}

if (import.meta.main) await buildPackage()

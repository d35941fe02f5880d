import { readFile, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'

import { build, type Plugin } from 'esbuild'

import { readLicenses } from './read-licenses.ts'

const directory = import.meta.dirname

/**
 * Writes the file that stands in the place of `src/node/load-interceptors.ts` in the package: the interceptors and what
 * they need, as one module that imports nothing and evaluates them when `loadInterceptors` is called.
 *
 * @param outfile where to write it; the licenses of what it holds are put beside it
 * @throws when what is bundled reads its WebAssembly module in another way than is known here
 */
export async function bundleInterceptors(outfile: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: directory,
    stdin: {
      // A module that is required is evaluated then, and not before.
      contents: `export function loadInterceptors() { return require('./src/node/interceptors.ts') }`,
      resolveDir: directory,
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifyWhitespace: true,
    // A line of it is what Node shows for an error that nobody catches.
    lineLimit: 160,
    legalComments: 'none',
    banner: { js: '// The licenses of what this file holds are in load-interceptors.licenses.txt.' },
    metafile: true,
    define: { 'import.meta.url': 'undefined' },
    loader: { '.wasm': 'binary' },
    plugins: [lateBuiltins, inlineWebAssembly],
    logLevel: 'silent',
  })
  await writeFile(outfile.replace(/\.js$/, '.licenses.txt'), await readLicenses(Object.keys(metafile.inputs)))
}

/** Node's own modules are got when they are needed, from whatever made the global object that runs this. */
const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup(plugin) {
    plugin.onResolve({ filter: /^[^.]/ }, ({ path }) =>
      path.startsWith('node:') || builtinModules.includes(path) ? { path, namespace: 'builtin' } : undefined,
    )
    plugin.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

/** The parser of HTTP is in a file of its own, found by `import.meta`, which scripts do not have. */
const inlineWebAssembly: Plugin = {
  name: 'inline-web-assembly',
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]@mswjs[\\/]interceptors[\\/]lib[\\/]node[\\/][^\\/]+\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('.wasm')) return undefined
      const contents = source.replace(/fs\.readFileSync\(new URL\("(\.[^"]+\.wasm)", \w+\)\)/, 'require("$1")')
      if (contents === source) {
        throw new Error(
          `Failed to bundle ${path}: it reads its WebAssembly module in an unknown way. Adapt build-interceptors.ts.`,
        )
      }
      return { contents }
    })
  },
}

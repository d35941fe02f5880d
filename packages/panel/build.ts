/**
 * Builds the package: `tsc` emits a module for every source file, and the page's script is bundled with all it needs.
 * Preact stands in for React there: the page is a tenth of the size.
 */
import { spawnSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { build, transform, type Plugin } from 'esbuild'

import { readLicenses } from '../read-licenses.ts'

const directory = import.meta.dirname

/** esbuild leaves the spaces of a style that is a string of a module. */
const minifiedStyle: Plugin = {
  name: 'minified-style',
  setup(builder) {
    builder.onLoad({ filter: /dock-style\.ts$/ }, async ({ path }) => {
      const [before = '', style = '', after = ''] = (await readFile(path, 'utf8')).split('`')
      const { code } = await transform(style, { loader: 'css', minify: true })
      return { contents: `${before}${JSON.stringify(code.trim())}${after}`, loader: 'ts' }
    })
  },
}

await rm(join(directory, 'dist'), { recursive: true, force: true })
const compiler = spawnSync('tsc', { cwd: directory, stdio: 'inherit' })
if (compiler.error) throw compiler.error
if (compiler.status === 0) await Promise.all([bundlePage(), bundleDock()])
else process.exitCode = compiler.status ?? 1

async function bundleDock(): Promise<void> {
  await build({
    absWorkingDir: directory,
    entryPoints: ['src/dock/dock-script.ts'],
    outfile: 'dist/dock-script.js',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    plugins: [minifiedStyle],
    legalComments: 'none',
  })
}

async function bundlePage(): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: directory,
    entryPoints: ['src/page/panel-script.tsx'],
    outfile: 'dist/page-script.js',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@understudy/source'],
    alias: { react: 'preact/compat', 'react-dom/client': 'preact/compat/client' },
    jsx: 'transform',
    minify: true,
    legalComments: 'none',
    metafile: true,
    banner: { js: '// The licenses of what was bundled are in page-script.licenses.txt.' },
  })
  const licenses = await readLicenses(directory, Object.keys(metafile.inputs))
  await writeFile(join(directory, 'dist/page-script.licenses.txt'), licenses)
}

/**
 * Builds the package: `tsc` emits a module for every source file, and the page's script is bundled with all it needs.
 * Preact replaces React there: the page is a tenth of the size. What edits the handlers file is bundled too, so that
 * its parser is not installed a second time, and is one file to read. So is what dev servers load at their start.
 */
import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { build, transform, type Metafile, type Plugin } from 'esbuild'

import { forBuildTools } from '../bundle-options.ts'
import { readLicenses } from '../read-licenses.ts'

const directory = import.meta.dirname

/** esbuild leaves the spaces and comments of a style that is a string of a module. */
const minifiedStyles: Plugin = {
  name: 'minified-styles',
  setup(builder) {
    builder.onLoad({ filter: /-style\.ts$/ }, async ({ path }) => {
      // Between the strings are the other parts of the module.
      const parts = (await readFile(path, 'utf8')).split(/(?<== )`\n([^`]*)`/)
      const texts = parts.map(async (part, index) => {
        if (index % 2 === 0) return part
        const { code } = await transform(part, { loader: 'css', minify: true })
        return JSON.stringify(code.trim())
      })
      return { contents: (await Promise.all(texts)).join(''), loader: 'ts' }
    })
  },
}

/** The bundle for dev servers loads the other one when a handler is saved. */
const loadsSavingLater: Plugin = {
  name: 'loads-saving-later',
  setup(builder) {
    builder.onResolve({ filter: /\/handler-saving\.ts$/ }, () => ({ path: './save/handler-saving.js', external: true }))
  },
}

await rm(join(directory, 'dist'), { recursive: true, force: true })
const compiler = spawnSync('tsc', { cwd: directory, stdio: 'inherit' })
if (compiler.error) throw compiler.error
if (compiler.status === 0) {
  await removeBundledModules()
  await Promise.all([bundlePage(), bundleDock(), bundleSaving(), bundleServer()])
} else process.exitCode = compiler.status ?? 1

/** Removes the modules that only bundles contain. Their declarations stay. */
async function removeBundledModules(): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: directory,
    entryPoints: ['dist/index.js', 'dist/settings.js'],
    outdir: 'dist',
    bundle: true,
    packages: 'external',
    format: 'esm',
    metafile: true,
    write: false,
  })
  const emitted = await readdir(join(directory, 'dist'), { recursive: true })
  const unused = emitted.filter((file) => {
    const [module] = /^.+\.js(?=(?:\.map)?$)/.exec(file) ?? []
    return module !== undefined && !(`dist/${module.replaceAll('\\', '/')}` in metafile.inputs)
  })
  await Promise.all(unused.map((file) => rm(join(directory, 'dist', file))))
}

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
    plugins: [minifiedStyles],
    legalComments: 'none',
  })
}

async function bundlePage(): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: directory,
    entryPoints: { 'page-script': 'src/page/panel-script.tsx' },
    outdir: 'dist',
    // Each lazily imported part of the page is a separate script. They share a third one.
    splitting: true,
    chunkNames: 'page/[name]-[hash]',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@understudy/source'],
    alias: { react: 'preact/compat', 'react-dom/client': 'preact/compat/client' },
    jsx: 'transform',
    minify: true,
    plugins: [minifiedStyles],
    legalComments: 'none',
    metafile: true,
    banner: { js: '// The licenses of what was bundled are in page-script.licenses.txt.' },
  })
  await writeLicenses('page-script', metafile)
}

async function bundleSaving(): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: directory,
    entryPoints: ['src/save/handler-saving.ts'],
    outfile: 'dist/save/handler-saving.js',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minify: true,
    legalComments: 'none',
    metafile: true,
    allowOverwrite: true,
    banner: { js: '// The licenses of what was bundled are in handler-saving.licenses.txt.' },
  })
  await writeLicenses('save/handler-saving', metafile)
}

/** Bundles what the plugins of dev servers load, except for what edits the handlers file, which loads later. */
async function bundleServer(): Promise<void> {
  await build({
    ...forBuildTools,
    absWorkingDir: directory,
    entryPoints: ['src/server.ts'],
    outfile: 'dist/server.js',
    packages: 'external',
    plugins: [loadsSavingLater],
    allowOverwrite: true,
  })
}

async function writeLicenses(name: string, { outputs }: Metafile): Promise<void> {
  // esbuild also reads packages whose code it then leaves out.
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  )
  await writeFile(join(directory, `dist/${name}.licenses.txt`), await readLicenses(directory, files))
}

/**
 * Builds the package: `tsc` emits the declarations, and the modules are bundled to few files. Vite loads the plugin at each start, and most of
 * that time went into opening a file for each module.
 */
import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { build } from 'esbuild'

import { forBuildTools } from '../bundle-options.ts'

const directory = import.meta.dirname

await rm(join(directory, 'dist'), { recursive: true, force: true })
const compiler = spawnSync('tsc', { cwd: directory, stdio: 'inherit' })
if (compiler.error) throw compiler.error
if (compiler.status === 0) await bundle()
else process.exitCode = compiler.status ?? 1

async function bundle(): Promise<void> {
  await build({
    ...forBuildTools,
    absWorkingDir: directory,
    // Those of package.json, builders.json and schematics.json.
    entryPoints: ['index', 'vitest', 'vitest-node', 'vitest-browser', 'angular', 'angular/ng-add'].map(
      (name) => `src/${name}.ts`,
    ),
    outbase: 'src',
    outdir: 'dist',
    // What several entries import must exist once.
    splitting: true,
    chunkNames: 'shared/[hash]',
    packages: 'external',
  })
}

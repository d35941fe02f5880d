/**
 * Builds the package: `tsc` emits the modules, and the service worker is put where the preset serves it from. The loader
 * for webpack replaces the contents of an empty file.
 */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { workerFile } from './src/worker-file.ts'

const directory = import.meta.dirname
const dist = join(directory, 'dist')

await rm(dist, { recursive: true, force: true })
const compiler = spawnSync('tsc', [], { cwd: directory, stdio: 'inherit' })
if (compiler.error) throw compiler.error
if (compiler.status !== 0) process.exit(compiler.status ?? 1)
await mkdir(join(dist, 'worker'))
await copyFile(join(directory, '../engine/dist/worker.js'), join(dist, 'worker', workerFile))
await writeFile(join(dist, 'preset/webpack-connector.cjs'), '')

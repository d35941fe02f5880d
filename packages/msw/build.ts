/** Builds the package: `tsc` emits the modules; scripts for Jest and the service worker are put beside them. */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const directory = import.meta.dirname
const dist = join(directory, 'dist')

await rm(dist, { recursive: true, force: true })
const compiler = spawnSync('tsc', [], { cwd: directory, stdio: 'inherit' })
if (compiler.error) throw compiler.error
if (compiler.status !== 0) process.exit(compiler.status ?? 1)

/** Jest runs scripts only. Each of these takes what the engine has for Jest. */
const scripts = {
  index: `module.exports = { ...require('@understudy/engine'), ...require('@understudy/engine/msw') }`,
  node: `module.exports = require('@understudy/engine/node')`,
  browser: `module.exports = require('@understudy/engine/browser')`,
  native: `module.exports = require('@understudy/engine/native')`,
}
await mkdir(join(dist, 'for-jest'))
for (const [name, script] of Object.entries(scripts)) {
  await writeFile(join(dist, 'for-jest', `${name}.cjs`), `${script}\n`)
}
await copyFile(join(directory, '../engine/dist/worker.js'), join(dist, 'mockServiceWorker.js'))

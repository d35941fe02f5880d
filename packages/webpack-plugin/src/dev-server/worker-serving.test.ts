import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { expect, test, vi } from 'vitest'
import webpack from 'webpack'

import { Project } from '../project.ts'
import { emitWorker } from './worker-serving.ts'

test('webpack writes the worker at the first build, and not again at rebuilds', async () => {
  const parent = join(import.meta.dirname, '../../../../.tmp')
  await mkdir(parent, { recursive: true })
  const root = await mkdtemp(join(parent, 'worker-'))
  await writeFile(join(root, 'main.js'), '')
  const emitted: string[][] = []
  const compiler = webpack({
    context: root,
    mode: 'development',
    entry: './main.js',
    output: { path: join(root, 'dist') },
    plugins: [{ apply: (each) => emitWorker(new Project({}, each)) }],
  })
  const watching = compiler.watch({}, (_error, stats) => emitted.push([...(stats?.compilation.emittedAssets ?? [])]))
  try {
    await vi.waitFor(() => expect(emitted).not.toEqual([]), { timeout: 20_000 })
    expect(emitted[0]).toContain('understudy-worker.js')
    expect(await readFile(join(root, 'dist/understudy-worker.js'), 'utf8')).toContain('addEventListener')
    const builds = emitted.length
    // Watchers do not report a change within some time after the first build.
    await setTimeout(50)
    await writeFile(join(root, 'main.js'), 'globalThis.isLater = true')
    await vi.waitFor(() => expect(emitted.length).toBeGreaterThan(builds), { timeout: 20_000 })
    expect(emitted.slice(1).flat()).not.toContain('understudy-worker.js')
    expect(emitted.slice(1).flat()).toContain('main.js')
    expect(await readFile(join(root, 'dist/understudy-worker.js'), 'utf8')).toContain('addEventListener')
  } finally {
    await new Promise((resolve) => watching?.close(resolve))
    await rm(root, { recursive: true, force: true })
  }
})

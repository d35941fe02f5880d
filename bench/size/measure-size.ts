import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { judgeRow } from '../measure/judge-row.ts'
import type { Cell, MeasuredRow, Row } from '../measure/row.ts'
import { msw2, msw3, specifiersOf, understudy } from '../subjects/msw-like.ts'
import { measureChunks } from './initial-chunks.ts'

const run = promisify(execFile)
const fetchMock = 'fetch-mock'
const subjects = [understudy, msw3, msw2]

const bundle: Row = {
  id: 'size-bundle',
  title: 'Size of setupWorker, http and HttpResponse in a page, gzipped',
  unit: 'KiB',
  note: 'Bundled with esbuild, minified, with dynamic imports in separate files. “With start()” includes what `worker.start()` loads if there is a service worker. “In all” includes everything that can load later. The service worker’s script is not included. The figure of fetch-mock is that of its global mock.',
  cells: [
    ...['at first', 'with start()', 'in all'].flatMap((variant) => subjects.map((subject) => ({ subject, variant }))),
    { subject: fetchMock, variant: 'at first' },
  ],
  goals: [
    { subject: understudy, variant: 'at first', limit: 12 },
    { subject: understudy, variant: 'with start()', limit: 24 },
    { subject: understudy, variant: 'in all', limit: 36 },
    { subject: understudy, variant: 'in all', atLeast: 1.5, than: { subject: msw3, variant: 'in all' } },
  ],
  whyMissed:
    'The goals are older than mocked documents, the comparison with the Fetch standard, reports of escaped requests, the trace, and the code for defects of Firefox. The first bundle creates and checks handlers. “With start()” also decides about requests (14.5 KiB), connects to the worker (14.5 KiB) and holds requests until mocking is on (5.7 KiB). Most of this is needed before the first response. Short names for all internal properties would save 0.7 KiB. A single file with everything would have 63 KiB.',
}

/** Bundles pages, and installs packages into empty folders. */
export async function* measureSize(_rounds: number, isWanted: (id: string) => boolean): AsyncGenerator<MeasuredRow> {
  if (isWanted(bundle.id)) yield judge(bundle, await Promise.all(bundle.cells.map(measureBundle)))
  if (isWanted(packages.id) || isWanted(bytes.id)) {
    const installed = await Promise.all(subjects.map(install))
    if (isWanted(packages.id))
      yield judge(
        packages,
        installed.map(({ count }) => count),
      )
    if (isWanted(bytes.id))
      yield judge(
        bytes,
        installed.map(({ megabytes }) => megabytes),
      )
  }
}

function judge(row: Row, values: readonly number[]): MeasuredRow {
  return judgeRow(row, new Map(row.cells.map((cell, index) => [cell, [values[index] ?? Number.NaN]])))
}

async function measureBundle({ subject, variant }: Cell): Promise<number> {
  if (subject === fetchMock)
    return (await measureChunks(`import mock from 'fetch-mock'\nmock.mockGlobal()`)).initial / 1024
  const { core, browser } = specifiersOf(subject)
  const size = await measureChunks(
    `import { http, HttpResponse } from '${core}'
     import { setupWorker } from '${browser}'
     setupWorker(http.get('/user', () => HttpResponse.json({}))).start()`,
  )
  return (variant === 'at first' ? size.initial : variant === 'in all' ? size.all : size.started) / 1024
}

const packages: Row = {
  id: 'size-packages',
  title: 'Installed packages, itself included',
  unit: 'packages',
  note: '`npm install` of the package in an empty folder.',
  cells: subjects.map((subject) => ({ subject })),
  goals: [{ subject: understudy, limit: 15 }],
}

const bytes: Row = {
  id: 'size-install',
  title: 'Size of an installation',
  unit: 'MiB',
  cells: subjects.map((subject) => ({ subject })),
  goals: [{ subject: understudy, limit: 5 }],
}

/** Installs a subject as a user would. Installs Understudy from the package that would be published. */
async function install(subject: string): Promise<{ count: number; megabytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-bench-'))
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'installed', private: true }))
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', await packageOf(subject, folder)], {
      cwd: folder,
    })
    const modules = join(folder, 'node_modules')
    const files = await readdir(modules, { recursive: true, withFileTypes: true })
    let total = 0
    for (const file of files) if (file.isFile()) total += (await stat(join(file.parentPath, file.name))).size
    const manifests = files.filter(
      ({ name, parentPath }) => name === 'package.json' && /node_modules\/(?:@[^/]+\/)?[^/]+$/.test(parentPath),
    )
    return { count: manifests.length, megabytes: total / 1024 / 1024 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function packageOf(subject: string, folder: string): Promise<string> {
  if (subject !== understudy) return subject === msw3 ? 'msw@3' : 'msw@2'
  const source = join(import.meta.dirname, '../../packages/engine')
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  return join(folder, stdout.trim().split('\n').at(-1) ?? '')
}

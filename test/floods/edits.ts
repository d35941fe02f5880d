import { join } from 'node:path'

import { build } from 'esbuild'
import type { Browser } from 'playwright'

import { openVisit } from '../acceptance/browser.ts'
import { startBackend } from '../acceptance/counting-backend.ts'
import { createProject } from '../acceptance/project.ts'
import { vite } from '../vite/vite.ts'
import { wait, type Tally } from './tally.ts'

/** The results of a page whose handlers were edited all the time. */
export interface EditsResult {
  readonly tally: Tally
  readonly escaped: readonly string[]
  /** The number of edits that the page applied. */
  readonly applied: number
  /** The number of loads of the page. No edit may reload it. */
  readonly loads: number
}

/** The page's load: four lanes, each of which makes one request after the other. Versions never go back in a lane. */
const load = `
import { countExchange, createTally, wait } from './flood-tally.js'
const tally = createTally()
let isOver = false
globalThis.version = 0
async function run(lane) {
  let seen = 0
  for (let id = 0; !isOver; id += 1) {
    await countExchange(tally, lane + ':' + id, async () => {
      const response = await fetch('/api/version/' + lane + '/' + id, { method: id % 2 ? 'POST' : 'GET' })
      const { version, identity } = await response.json()
      if (version < seen) return 'version ' + version + ' after ' + seen
      seen = version
      globalThis.version = Math.max(globalThis.version, version)
      return identity
    })
    await wait(5)
  }
}
globalThis.lanes = Promise.all(Array.from({ length: 4 }, (_, lane) => run(lane)))
globalThis.finish = async () => {
  isOver = true
  await globalThis.lanes
  return tally
}
`

const handlersFile = 'src/mocks/handlers.js'

function handlersOf(version: number): string {
  return `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [
  http.all('/api/version/:lane/:id', ({ params }) =>
    HttpResponse.json({ version: ${version}, identity: params.lane + ':' + params.id })),
]
`
}

/** Edits the handlers of a project with Vite while its page makes requests. Waits until each edit applies. */
export async function floodEdits(browser: Browser, edits: number): Promise<EditsResult> {
  const backend = await startBackend()
  const project = await createProject('test/fixtures/hot', {
    'src/main.js': load,
    'src/flood-tally.js': await bundleTally(),
    [handlersFile]: handlersOf(0),
  })
  await vite.configure(project, { api: backend.origin })
  const server = await vite.start(project)
  const visit = await openVisit(browser)
  try {
    await visit.page.goto(server.origin)
    await visit.page.waitForFunction('globalThis.lanes !== undefined')
    let applied = 0
    for (let version = 1; version <= edits; version += 1) {
      await project.write(handlersFile, handlersOf(version))
      if (await isApplied(version, () => visit.page.evaluate('version'))) applied += 1
      // A watcher that missed the file sees it when it is saved again.
      else await project.write(handlersFile, handlersOf(version))
    }
    const tally = await visit.page.evaluate<Tally>('finish()')
    return { tally, escaped: backend.requests.slice(), applied, loads: visit.navigations.length }
  } finally {
    await visit.close()
    await server.stop()
    await backend.close()
    await project.dispose()
  }
}

async function isApplied(version: number, read: () => Promise<number>): Promise<boolean> {
  const limit = Date.now() + 10_000
  while ((await read()) !== version) {
    if (Date.now() > limit) return false
    await wait(20)
  }
  return true
}

async function bundleTally(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'tally.ts')],
    format: 'esm',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

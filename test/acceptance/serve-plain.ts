import { readFile } from 'node:fs/promises'

import type { SetupWorker } from '@understudy/engine/browser'
import { afterAll, afterEach, beforeAll } from 'vitest'

import { vite } from '../vite/vite.ts'
import type { RunningServer } from './build-tool.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject, type Project } from './project.ts'
import type { TestPage } from './test-browser.ts'

// The globals of the fixture's page, for functions that run there.
declare global {
  var engine: typeof import('@understudy/engine')
  var setupWorker: typeof import('@understudy/engine/browser').setupWorker
  var worker: SetupWorker
}

/** The fixture `plain`, without a plugin. Its pages call `setupWorker` themselves. */
export interface PlainFixture {
  readonly backend: CountingBackend
  readonly project: Project
  readonly origin: string
}

/**
 * Serves the fixture before the tests of a suite, with the service worker's script at `/understudy-worker.js`.
 *
 * @param files further files of the project, by path
 */
export function servePlain(files: Readonly<Record<string, string>> = {}): PlainFixture {
  let backend: CountingBackend
  let project: Project
  let server: RunningServer

  beforeAll(async () => {
    const script = await readFile(new URL(import.meta.resolve('@understudy/engine/worker')), 'utf8')
    ;[backend, project] = await Promise.all([
      startBackend(),
      createProject('test/fixtures/plain', { 'public/understudy-worker.js': script, ...files }),
    ])
    await vite.configure(project, { plugin: null, api: backend.origin })
    server = await vite.start(project)
  })
  afterAll(async () => {
    await Promise.all([server.stop(), backend.close()])
    await project.dispose()
  })
  afterEach(() => backend.forget())

  return {
    get backend() {
      return backend
    },
    get project() {
      return project
    },
    get origin() {
      return server.origin
    },
  }
}

/** Returns the answer to a GET request of the page. */
export function get(path: string, page: Pick<TestPage, 'evaluate'>): Promise<unknown> {
  return page.evaluate(async (url) => (await fetch(url)).json() as Promise<unknown>, path)
}

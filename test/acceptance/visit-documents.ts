import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'

import type { BuildTool, RunningServer } from './build-tool.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject, type Project } from './project.ts'
import type { BrowserDriver, TestBrowser, TestVisit } from './test-browser.ts'

/**
 * The fixture `documents` in a browser. Each test gets a new profile, unless its `describe` shares one. After each test, it checks that
 * no request has escaped.
 */
export interface DocumentsFixture {
  readonly backend: CountingBackend
  readonly visit: TestVisit
  /** Opens a path of the server. */
  open(path: string): Promise<unknown>
  /** Opens a path of the app and waits until mocking is on. Default: `/`. */
  openApp(path?: string): Promise<void>
  /**
   * Opens a page before the tests of the current `describe`, which share it.
   *
   * @param prepare opens the app
   */
  shareVisit(prepare: () => Promise<void>): void
}

/**
 * Starts the fixture before the tests of a suite.
 *
 * @param pages HTML pages that the backend serves, by path
 */
export function visitDocuments(
  tool: BuildTool,
  driver: BrowserDriver,
  pages: Readonly<Record<string, string>> = {},
): DocumentsFixture {
  let backend: CountingBackend
  let project: Project
  let server: RunningServer
  let browser: TestBrowser
  let visit: TestVisit
  let shared: TestVisit | undefined

  beforeAll(async () => {
    ;[backend, project, browser] = await Promise.all([
      startBackend(pages),
      createProject('test/fixtures/documents'),
      driver.launch(),
    ])
    await tool.configure(project, { api: backend.origin, plugin: { expose: true }, hasRoutes: true })
    server = await tool.start(project)
  })

  afterAll(async () => {
    await Promise.all([browser.close(), server.stop(), backend.close()])
    await project.dispose()
  })

  beforeEach(async () => {
    visit = shared ?? (await browser.openVisit())
  })

  afterEach(async () => {
    if (visit !== shared) await visit.close()
    const escaped = [...backend.requests]
    backend.forget()
    expect(escaped).toEqual([])
  })

  const open = (path: string): Promise<unknown> => visit.page.goto(server.origin + path)
  return {
    get backend() {
      return backend
    },
    get visit() {
      return visit
    },
    open,
    async openApp(path = '/') {
      await open(path)
      await visit.page.waitForFunction('globalThis.isReady')
    },
    shareVisit(prepare) {
      beforeAll(async () => {
        shared = await browser.openVisit()
        visit = shared
        await prepare()
      })
      afterAll(async () => {
        await shared?.close()
        shared = undefined
      })
    },
  }
}

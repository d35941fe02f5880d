import { afterAll, beforeAll } from 'vitest'

import type { BuildTool, RunningServer, ServerOptions, ToolOptions } from './build-tool.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject, type Project } from './project.ts'

/** A project on the dev server of a tool, with a backend and a browser. Its members exist while tests run. */
export interface ServedProject<Browser> {
  readonly backend: CountingBackend
  readonly browser: Browser
  readonly project: Project
  /** A test that stops the server assigns the next one. */
  server: RunningServer
}

interface ServedProjectSettings<Browser> {
  launch(): Promise<Browser>
  /** The folder from which the project is copied. Default: `test/fixtures/hot`. */
  fixture?: string
  /** Additional or replaced files of the project. */
  files?: Record<string, string>
  /** The tool's settings. By default, requests below `/api/` reach the backend if nothing answers them. */
  options?: ToolOptions
  /** Runs before the server starts. */
  prepare?(project: Project): Promise<void>
  serverOptions?(project: Project): ServerOptions
}

/** Serves a project for the tests of a file or of a `describe`, and ends everything after them. */
export function serveProject<Browser extends { close(): Promise<unknown> }>(
  tool: BuildTool,
  { launch, fixture = 'test/fixtures/hot', files, options, prepare, serverOptions }: ServedProjectSettings<Browser>,
): ServedProject<Browser> {
  const served = {} as { -readonly [Name in keyof ServedProject<Browser>]: ServedProject<Browser>[Name] }
  beforeAll(async () => {
    ;[served.backend, served.browser, served.project] = await Promise.all([
      startBackend(),
      launch(),
      createProject(fixture, files),
    ])
    await tool.configure(served.project, { api: served.backend.origin, ...options })
    await prepare?.(served.project)
    served.server = await tool.start(served.project, serverOptions?.(served.project))
  })
  afterAll(async () => {
    await Promise.all([served.browser?.close(), served.server?.stop(), served.backend?.close()])
    await served.project?.dispose()
  })
  return served
}

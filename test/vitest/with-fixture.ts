import { afterAll, afterEach, beforeAll } from 'vitest'

import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import type { Project } from '../acceptance/project.ts'
import { runVitest, type VitestCli, type VitestRun } from './run-vitest.ts'

/** A version of Vitest. */
export interface VitestUnderTest {
  cli: VitestCli
  /** Copies `test/fixtures/vitest` to a folder in which `vitest` resolves to this version. */
  createFixture(): Promise<Project>
}

export interface Fixture {
  readonly project: Project
  /** The real API. Requests that reach it have escaped. */
  readonly backend: CountingBackend
  /** Runs Vitest with filters and options. */
  run(...args: string[]): Promise<VitestRun>
}

/** Creates a copy of the fixture for the tests of a file, in their `beforeAll`. */
export function withFixture({ cli, createFixture }: VitestUnderTest): Fixture {
  let backend: CountingBackend
  let project: Project

  beforeAll(async () => {
    backend = await startBackend()
    project = await createFixture()
  })
  afterEach(() => backend.forget())
  afterAll(async () => {
    await project.dispose()
    await backend.close()
  })

  return {
    get project() {
      return project
    },
    get backend() {
      return backend
    },
    run: (...args) => runVitest(project, args, { cli, api: backend.origin }),
  }
}

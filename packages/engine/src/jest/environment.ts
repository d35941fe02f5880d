import { createRequire } from 'node:module'
import { join } from 'node:path'

import { failure } from '../core/failure.ts'

/** The members of Jest's environments that are used here. */
export interface JestEnvironment {
  /** The global object of the tests. */
  readonly global: typeof globalThis
  setup(): Promise<void>
  teardown(): Promise<void>
  /** The conditions with which tests resolve the exports of packages. */
  exportConditions?(): string[]
}

export type JestEnvironmentClass = new (config: object, context: object) => JestEnvironment

/** The condition with which the engine exports scripts, because Jest runs ECMAScript modules only with flags. */
const condition = '@understudy/jest'

/**
 * Loads one of Jest's own environments, and makes it resolve the engine.
 *
 * @param name the package of the environment: `'jest-environment-node'`
 * @throws {UnderstudyError} if it is not installed
 */
export function extendEnvironment(name: string): JestEnvironmentClass {
  return class extends loadEnvironment(name) {
    override exportConditions(): string[] {
      return [condition, ...(super.exportConditions?.() ?? [])]
    }
  }
}

function loadEnvironment(name: string): JestEnvironmentClass {
  // A linked package cannot resolve the project's dependencies.
  const places = [import.meta.url, join(process.cwd(), 'package.json')]
  for (const place of places) {
    const require = createRequire(place)
    let file
    try {
      file = require.resolve(name)
    } catch {
      continue
    }
    return (require(file) as { TestEnvironment: JestEnvironmentClass }).TestEnvironment
  }
  throw failure(
    'US0409',
    'load the environment of the tests',
    `${name} is not installed`,
    `Run npm install --save-dev ${name}.`,
  )
}

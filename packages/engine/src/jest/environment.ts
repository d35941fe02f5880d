import { createRequire } from 'node:module'
import { join } from 'node:path'

import { failure } from '../core/failure.ts'

/** What of Jest's environments is used: they share nothing but this. */
export interface JestEnvironment {
  /** The global object of the tests. */
  readonly global: typeof globalThis
  setup(): Promise<void>
  teardown(): Promise<void>
  /** Conditions by which the tests resolve what packages export. */
  exportConditions?(): string[]
}

export type JestEnvironmentClass = new (config: object, context: object) => JestEnvironment

/** By this condition the engine exports scripts: Jest runs no ECMAScript modules, unless told to by flags. */
const condition = '@understudy/jest'

/**
 * One of Jest's own environments, in which the engine can be imported as it is.
 *
 * @param name the package of the environment: `'jest-environment-node'`
 * @throws where it is not installed
 */
export function extendEnvironment(name: string): JestEnvironmentClass {
  return class extends loadEnvironment(name) {
    override exportConditions(): string[] {
      return [condition, ...(super.exportConditions?.() ?? [])]
    }
  }
}

function loadEnvironment(name: string): JestEnvironmentClass {
  // Linked packages do not see what the project has.
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
  throw failure('load the environment of the tests', `${name} is not installed`, `Run npm install --save-dev ${name}.`)
}

/**
 * Runs before each test file that shares its process with other files. The file gets modules of its own, without the state that an
 * earlier file left in them, and the globals of the platform. To load modules again takes milliseconds; a new process takes a third
 * of a second ([decision 255](../docs/decisions/0255-tests-of-logic-share-processes.md)).
 */
import { vi } from 'vitest'

const scope = globalThis as typeof globalThis & { understudyGlobalsAtStart?: ReadonlyMap<string, unknown> }

vi.restoreAllMocks()
vi.unstubAllGlobals()
vi.unstubAllEnvs()
vi.useRealTimers()
vi.resetModules()

const now = readGlobals()
const atStart = (scope.understudyGlobalsAtStart ??= now)
const names = new Set([...now.keys(), ...atStart.keys()])
const changed = [...names].filter((name) => !Object.is(now.get(name), atStart.get(name)))
if (changed.length > 0) {
  throw new Error(
    `Failed to start a test file: an earlier file of this process left other globals: ${changed.join(', ')}. ` +
      'Restore them in that file after each test, or remove it from sharedProcess in vitest.config.ts.',
  )
}

/** Returns the values of the globals and of the functions of `console`, without those that Vitest and Apollo Client add. */
function readGlobals(): Map<string, unknown> {
  const own = Object.getOwnPropertyNames(scope).filter((name) => !/vitest|^@wry|^understudyGlobals/.test(name))
  return new Map([
    ...own.map((name) => [name, scope[name as keyof typeof scope]] as const),
    ...Object.entries(console).map(([name, value]) => [`console.${name}`, value as unknown] as const),
  ])
}

/** Checks that test files that share a process or a page leave its globals as they were. */
import { vi } from 'vitest'

const scope = globalThis as typeof globalThis & { understudyGlobalsAtStart?: ReadonlyMap<string, unknown> }

/**
 * Restores what Vitest has replaced, and compares the globals with those at the start.
 *
 * @param place what the files share: `'process'`
 * @param list the list that has the files
 * @throws if an earlier file has changed a global
 */
export function checkGlobals(place: 'process' | 'page', list: string): void {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
  const now = readGlobals()
  const atStart = (scope.understudyGlobalsAtStart ??= now)
  const names = new Set([...now.keys(), ...atStart.keys()])
  const changed = [...names].filter((name) => !Object.is(now.get(name), atStart.get(name)))
  if (changed.length > 0) {
    throw new Error(
      `Failed to start a test file: an earlier file of this ${place} left other globals: ${changed.join(', ')}. ` +
        `Restore them in that file after each test, or remove it from ${list}.`,
    )
  }
}

/**
 * Returns the globals and the functions of `console`, without those that Vitest and Apollo Client add, and without `event` and
 * `console.memory`, which are different at every moment of a page.
 */
function readGlobals(): Map<string, unknown> {
  const own = Object.getOwnPropertyNames(scope).filter((name) => !/vitest|^@wry|^understudyGlobals|^event$/.test(name))
  const ofConsole = Object.keys(console).filter((name) => name !== 'memory')
  return new Map([
    ...own.map((name) => [name, scope[name as keyof typeof scope]] as const),
    ...ofConsole.map((name) => [`console.${name}`, console[name as keyof Console] as unknown] as const),
  ])
}

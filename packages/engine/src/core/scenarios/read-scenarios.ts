import { describe } from '../describe.ts'
import { failure } from '../failure.ts'
import { checkHandlers } from '../handlers/check-handlers.ts'
import type { Handler } from '../handlers/request-handler.ts'

/** Scenarios by name. A map, because names such as `__proto__` would reach the prototype of an object. */
export type ScenarioMap = ReadonlyMap<string, readonly Handler[]>

/**
 * Reads what a handlers module exports as `scenarios`. `undefined` means that there are no scenarios.
 *
 * @param value the export, of any type
 * @param file the module's name in messages
 * @throws {UnderstudyError} if the value is not a record of named arrays of handlers, or a name cannot be in an address
 */
export function readScenarios(value: unknown, file: string): ScenarioMap {
  const operation = `read the scenarios of ${file}`
  if (value === undefined) return new Map()
  if (!isRecord(value)) {
    throw failure(
      'US0140',
      operation,
      `they are ${describe(value)}`,
      'Export a record of named arrays: export const scenarios = { empty: [http.get(path, resolver)] }.',
    )
  }
  return new Map(
    Object.entries(value).map(([name, handlers]: [string, unknown]): [string, readonly Handler[]] => {
      if (!/^[^\s,](?:[^,]*[^\s,])?$/.test(name)) {
        throw failure(
          'US0141',
          operation,
          `the name ${JSON.stringify(name)} is empty, contains a comma, or starts or ends with a space`,
          'Choose another name: a comma separates names in the URL.',
        )
      }
      if (!Array.isArray(handlers)) {
        throw failure(
          'US0142',
          operation,
          `the scenario "${name}" is ${describe(handlers)}`,
          'Put its handlers into an array: [handler].',
        )
      }
      checkHandlers(operation, handlers, (index) => `item ${index + 1} of the scenario "${name}"`)
      return [name, [...(handlers as Handler[])]]
    }),
  )
}

/** Returns whether a value is a plain object or a module's namespace. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

import { describe } from '../describe.ts'
import { failure } from '../failure.ts'
import { checkHandlers, isHandler } from './check-handlers.ts'
import { setGroup } from './handler-groups.ts'
import type { Handler } from './request-handler.ts'

/** Named groups of handlers. */
export type HandlerGroups = Readonly<Record<string, Handler | readonly Handler[]>>

/**
 * The exports that a handlers module may have: a list, named groups, or a function (maybe asynchronous) that returns
 * one of these.
 */
export type HandlersExport =
  | readonly Handler[]
  | HandlerGroups
  | (() => readonly Handler[] | HandlerGroups | Promise<readonly Handler[] | HandlerGroups>)

/**
 * Returns the handlers that a module exports as `handlers` or as its default export, in their order.
 *
 * @param module the module's namespace
 * @param file the module's name in messages
 * @throws {UnderstudyError} if the module exports no handlers, or exports a value that is not a handler
 */
export async function pickHandlers(module: object, file: string): Promise<Handler[]> {
  const exported = module as { handlers?: unknown; default?: unknown }
  const name = exported.handlers === undefined && 'default' in module ? 'default' : 'handlers'
  const operation = `read the handlers of ${file}`
  if (!(name in module)) {
    const names = Object.keys(module).map((key) => `"${key}"`)
    throw failure(
      'US0104',
      operation,
      names.length === 0 ? 'it exports nothing' : `it exports ${names.join(', ')}, but no handlers`,
      'Export them: export const handlers = [http.get(path, resolver)].',
    )
  }
  const where = name === 'handlers' ? 'its export "handlers"' : 'its default export'
  const value = exported[name]
  const isFunction = typeof value === 'function'
  return readExport(isFunction ? await (value as () => unknown)() : value, operation, where, isFunction)
}

function readExport(value: unknown, operation: string, where: string, isReturned: boolean): Handler[] {
  if (isHandler(value)) {
    throw failure('US0105', operation, `${where} is one handler`, 'Put it into an array: [handler].')
  }
  if (Array.isArray(value)) {
    checkHandlers(operation, value, (index) => `item ${index + 1} of ${where}`)
    return [...(value as Handler[])]
  }
  if (!isRecord(value)) {
    throw failure(
      'US0106',
      operation,
      `${where} ${isReturned ? 'returned' : 'is'} ${describe(value)}`,
      'Export an array of handlers, a record of named arrays, or a function that returns one.',
    )
  }
  return Object.entries(value).flatMap(([group, members]: [string, unknown]): Handler[] => {
    const list: unknown[] = Array.isArray(members) ? members : [members]
    checkHandlers(operation, list, (index) =>
      Array.isArray(members) ? `item ${index + 1} of the group "${group}"` : `the group "${group}"`,
    )
    for (const handler of list as Handler[]) setGroup(handler, group)
    return list as Handler[]
  })
}

/** Returns whether a value is a plain object or a module's namespace. */
function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

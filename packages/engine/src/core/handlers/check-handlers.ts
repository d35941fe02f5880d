import { describe } from '../describe.ts'
import { failure } from '../failure.ts'
import { isPromise } from '../is-promise.ts'
import type { Handler } from './request-handler.ts'

/** Returns whether a value is a handler, as `http.get` and similar functions create it. */
export function isHandler(value: unknown): value is Handler {
  return typeof value === 'object' && value !== null && (value as Partial<Handler>)['~handler'] === true
}

/**
 * Checks that every item is a handler.
 *
 * @param operation the operation that needs the list, as the continuation of "Failed to"
 * @param whereOf returns the position of an item for messages: `argument 2`
 * @throws {UnderstudyError} if an item is not a handler; the message names the first such item and the fix
 */
export function checkHandlers(
  operation: string,
  values: readonly unknown[],
  whereOf: (index: number) => string = (index) => `argument ${index + 1}`,
): asserts values is readonly Handler[] {
  values.forEach((value, index) => {
    if (!isHandler(value)) throw failure('US0101', operation, ...explain(value, whereOf(index)))
  })
}

/** The forms in which handlers can be passed: one handler, a list, or named groups of these. */
export type HandlersInput = Handler | readonly Handler[] | Readonly<Record<string, Handler | readonly Handler[]>>

/**
 * Returns the handlers of all arguments, in their order. No argument, or an empty list, means no handlers.
 *
 * @param operation the operation that needs the handlers, as the continuation of "Failed to"
 * @throws {UnderstudyError} if an item is not a handler
 */
export function readHandlers(operation: string, inputs: readonly unknown[]): Handler[] {
  return inputs.flatMap((input, index) => readInput(operation, input, `argument ${index + 1}`))
}

function readInput(operation: string, input: unknown, where: string): readonly Handler[] {
  if (isGroups(input)) {
    return Object.entries(input).flatMap(([name, members]) =>
      readInput(operation, members, `the group "${name}" of ${where}`),
    )
  }
  const isList = Array.isArray(input)
  const list: readonly unknown[] = isList ? input : [input]
  checkHandlers(operation, list, (item) => (isList ? `item ${item + 1} of ${where}` : where))
  return list
}

/** Returns whether a value is a record, or a module's namespace, of handlers and lists. */
function isGroups(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isHandler(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.values(value).every((member) => isHandler(member) || Array.isArray(member))
}

function explain(value: unknown, where: string): [reason: string, action: string] {
  if (Array.isArray(value)) {
    return [`${where} is an array`, 'Spread it, with three dots: (...handlers).']
  }
  if (isForeignHandler(value)) {
    return [
      `${where} is a handler of another library (${value.info.header})`,
      "Import `http` from '@understudy/engine' in the file that makes it.",
    ]
  }
  if (isLink(value)) {
    return [`${where} is a link of WebSocket connections`, "Pass what its addEventListener('connection', …) returns."]
  }
  if (typeof value === 'function') {
    return [
      `${where} is the function "${value.name || 'anonymous'}"`,
      'Pass what it returns, or wrap a resolver in a handler: http.get(path, resolver).',
    ]
  }
  if (isPromise(value)) return [`${where} is a promise`, 'Await it first.']
  return [`${where} is ${describe(value)}`, 'Use a function like http.get(path, resolver).']
}

/** Returns whether a value is the result of `ws.link`, which creates handlers but is not a handler. */
function isLink(value: unknown): boolean {
  return typeof (value as { broadcastExcept?: unknown } | null | undefined)?.broadcastExcept === 'function'
}

function isForeignHandler(value: unknown): value is { info: { header: string } } {
  const info = (value as { info?: { header?: unknown } } | null | undefined)?.info
  return typeof info === 'object' && info !== null && typeof info.header === 'string'
}

/** @throws if options are not an object */
export function checkOptions(operation: string, options: unknown): asserts options is object {
  if (typeof options === 'object' && options !== null) return
  throw failure('US0102', operation, `its options are ${describe(options)}`, 'Pass an object.')
}

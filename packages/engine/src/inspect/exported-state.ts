import { failure } from '../core/failure.ts'
import type { HandlersStatePart } from '../core/network/handlers-state.ts'
import type { Network } from '../core/network/network.ts'

/** A part of the state that the handlers module exports. */
export interface InspectedState {
  readonly name: string
  /** Whether the panel can replace its value. */
  readonly canWrite: boolean
  readonly canReset: boolean
}

/** Larger JSON is not shown: it would have to be sent to each panel after each request. */
const textLimit = 2_000_000

/** Which parts of the state there are. Missing: none. */
export function listState(network: Network): readonly InspectedState[] | undefined {
  const parts = readParts(network)
  if (parts.size === 0) return undefined
  return Array.from(parts, ([name, part]) => ({
    name,
    canWrite: isFunctionOf(part, 'write'),
    canReset: isFunctionOf(part, 'read') && isFunctionOf(part, 'reset'),
  }))
}

/**
 * Reads a part of the state.
 *
 * @returns JSON
 * @throws {UnderstudyError} if there is no such part, or it is not JSON or too long
 */
export async function readState(network: Network, name: string): Promise<string> {
  const operation = `read the state ${JSON.stringify(name)}`
  const part = find(network, operation, name)
  const value = await part.read()
  let text: string | undefined
  try {
    text = JSON.stringify(value, refuseCollections, 2) as string | undefined
  } catch (error) {
    throw toNoJson(operation, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error), error)
  }
  if (text === undefined) throw toNoJson(operation, `read() returned a value of the type ${typeof value}`)
  if (text.length > textLimit) {
    const reason = `it has ${text.length} characters, and the limit is ${textLimit}`
    throw failure('US0882', operation, reason, 'Return less from read(), for example the last records.')
  }
  return text
}

/**
 * Replaces a part of the state.
 *
 * @param text JSON
 * @throws {UnderstudyError} if there is no such part, it cannot be written, or the text is not JSON
 */
export async function writeState(network: Network, name: string, text: string): Promise<void> {
  const operation = `write the state ${JSON.stringify(name)}`
  const part = find(network, operation, name)
  if (!part.write) {
    throw failure('US0883', operation, 'it has no function write()', 'Add one: write(value) { … }.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = `the text is not JSON: ${error instanceof Error ? error.message : String(error)}`
    throw failure('US0884', operation, reason, 'Correct the text.', { cause: error })
  }
  await part.write(value as never)
}

/**
 * Restores the initial value of a part of the state.
 *
 * @throws {UnderstudyError} if there is no such part, or it cannot be reset
 */
export async function resetState(network: Network, name: string): Promise<void> {
  const operation = `reset the state ${JSON.stringify(name)}`
  const part = find(network, operation, name)
  if (!part.reset) {
    throw failure('US0885', operation, 'it has no function reset()', 'Add one: reset() { … }.')
  }
  await part.reset()
}

/** The parts by name. With module federation, a page has several handlers modules: the first part of a name counts. */
function readParts(network: Network): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>()
  for (const exported of network.states?.values() ?? []) {
    if (exported === undefined) continue
    const entries = isObject(exported) ? Object.entries(exported) : [['state', exported] as const]
    for (const [name, part] of entries) if (!parts.has(name)) parts.set(name, part)
  }
  return parts
}

function find(network: Network, operation: string, name: string): HandlersStatePart {
  const parts = readParts(network)
  if (!parts.has(name)) {
    const action = 'The handlers may have changed. Close the panel and open it again.'
    throw failure('US0880', operation, 'the handlers module exports no state of this name', action)
  }
  const part = parts.get(name)
  if (isObject(part) && isFunctionOf(part, 'read')) return part as unknown as HandlersStatePart
  throw failure(
    'US0881',
    operation,
    'it has no function read()',
    'Export functions by name: export const state = { users: { read: () => [...users.values()] } }.',
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isFunctionOf(part: unknown, name: keyof HandlersStatePart): boolean {
  return isObject(part) && typeof (part as Partial<Record<string, unknown>>)[name] === 'function'
}

/** JSON shows a Map and a Set as `{}`, and writing that back would lose the records. */
function refuseCollections(_key: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) {
    throw new TypeError(`it contains a ${value instanceof Map ? 'Map' : 'Set'}`)
  }
  return value
}

function toNoJson(operation: string, reason: string, cause?: unknown): Error {
  const action = 'Return plain objects and arrays from read(), such as [...users.values()].'
  return failure('US0886', operation, `it is not JSON: ${reason}`, action, cause === undefined ? {} : { cause })
}

import { isPromise } from './is-promise.ts'

/** Describes a value for a message. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `the string ${JSON.stringify(value)}`
  if (typeof value === 'function') return `the function "${value.name || 'anonymous'}"`
  return typeof value === 'object' ? describeObject(value) : `the ${typeof value} ${(value as symbol).toString()}`
}

function describeObject(value: object): string {
  if (isPromise(value)) return 'a promise'
  if (Array.isArray(value)) return 'an array'
  const name = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name
  return name && name !== 'Object' ? `an instance of ${name}` : `an object with the keys ${listKeys(value)}`
}

function listKeys(value: object): string {
  const keys = Object.keys(value)
  if (keys.length > 5) keys.splice(5, Infinity, '…')
  return keys.join(', ') || '(none)'
}

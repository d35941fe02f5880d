import { isPromise } from './is-promise.ts'

/** Describes a value for a message. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the string ${JSON.stringify(value)}`
    case 'function':
      return `the function "${value.name || 'anonymous'}"`
    case 'object':
      return value === null ? 'null' : describeObject(value)
    case 'undefined':
      return 'undefined'
    default:
      return `the ${typeof value} ${String(value as symbol)}`
  }
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

import type { Handler } from './request-handler.ts'

const groups = new WeakMap<Handler, string>()

/** Stores the name of the group in which a handlers module exports a handler. The last name counts. */
export function setGroup(handler: Handler, name: string): void {
  groups.set(handler, name)
}

/** Returns the name of a handler's group, if it was exported in one. */
export function getGroup(handler: Handler): string | undefined {
  return groups.get(handler)
}

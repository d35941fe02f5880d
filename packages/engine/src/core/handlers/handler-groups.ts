import type { Handler } from './request-handler.ts'

const groups = new WeakMap<Handler, string>()

/** Notes the name of the group in which a handlers module exports a handler; the last name counts. */
export function setGroup(handler: Handler, name: string): void {
  groups.set(handler, name)
}

/** The name of a handler's group, where it was exported in one. */
export function getGroup(handler: Handler): string | undefined {
  return groups.get(handler)
}

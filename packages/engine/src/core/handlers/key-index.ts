import { isPromise } from '../is-promise.ts'
import type { RouteTableEntry } from '../routing/route-table.ts'
import type { IncomingRequest } from './incoming-request.ts'
import type { Protocol } from './protocol.ts'

/**
 * Values of one route, by a key that a protocol reads from a request, such as the name of a GraphQL operation. A route
 * table contains the index instead of the values. The request is read for its key only if no earlier value has
 * answered.
 */
export class KeyIndex<Value> {
  readonly #protocol: Protocol
  readonly #byKey = new Map<string, RouteTableEntry<Value>[]>()

  constructor(protocol: Protocol) {
    this.#protocol = protocol
  }

  /** Adds a value. Positions must be ascending. */
  add(key: string, position: number, value: Value): void {
    const entries = this.#byKey.get(key)
    if (entries) entries.push({ position, value })
    else this.#byKey.set(key, [{ position, value }])
  }

  /**
   * Returns the values that a request could match, in no particular order. If the body must be read first, returns a
   * promise: call this again when it has resolved.
   */
  candidates(incoming: IncomingRequest): readonly RouteTableEntry<Value>[] | Promise<unknown> {
    const keys = this.#protocol.keysOf(incoming)
    return isPromise(keys) ? keys : this.#valuesOf(keys)
  }

  #valuesOf(keys: readonly string[] | null): readonly RouteTableEntry<Value>[] {
    // Most requests have one key.
    if (keys?.length === 1) return this.#byKey.get(keys[0] as string) ?? []
    const found =
      keys === null ? [...this.#byKey.values()] : [...new Set(keys)].map((key) => this.#byKey.get(key) ?? [])
    return found.flat()
  }
}

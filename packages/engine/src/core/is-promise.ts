/**
 * Returns whether a value is a promise of any class. Zone.js replaces the global class, and a promise of an asynchronous
 * function is then not an instance of it.
 */
export function isPromise<Value>(value: Value | PromiseLike<Value>): value is Promise<Value> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

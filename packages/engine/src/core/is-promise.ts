/**
 * Returns whether a value is a promise of any class. Zone.js replaces the global class, and a promise of an asynchronous
 * function is then not an instance of it.
 * It may have only `then()`, which may return nothing.
 */
export function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

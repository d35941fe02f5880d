import { later } from '../../core/real-time.ts'

/**
 * Resolves to the value of a promise, or to `undefined` after a time-out, because some functions of the platform can
 * hang.
 *
 * @param milliseconds the limit
 */
export function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject)
    later(() => resolve(undefined), milliseconds)
  })
}

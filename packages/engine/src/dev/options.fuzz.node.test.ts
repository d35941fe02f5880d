import fc from 'fast-check'
import { expect, it } from 'vitest'

import { fuzzSettings } from '../testing/fuzz-settings.ts'
import corpus from './options.corpus.json' with { type: 'json' }
import { readOptions, type ResolvedOptions } from './options.ts'

const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withSparseArray: true })
const circle: { self?: unknown } = {}
circle.self = circle
const value = fc.oneof(
  anything,
  fc.constantFrom(circle, 'warn', 'a.js', true, () => {}, Symbol('s'), 5n),
)
const name = fc.constantFrom('handlers', 'enabled', 'onUnhandledRequest', 'quiet', 'panel', 'leaks', 'worker')
const options = fc.oneof(
  anything,
  fc.dictionary(fc.oneof(name, fc.string(), fc.constant('__proto__')), value, { maxKeys: 3 }),
  fc.record({ worker: fc.dictionary(fc.constantFrom('file', 'scope', 'x'), value, { maxKeys: 2 }) }),
)

it('takes any options of a plugin, or refuses them with a reason', () => {
  const names = Object.getOwnPropertyNames(Object.prototype)
  fc.assert(
    fc.property(options, (given) => {
      expect(readOrExplain(given)).toBe('')
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names)
    }),
    fuzzSettings(
      corpus.options.map((each) => [each] as [unknown]),
      3_000,
    ),
  )
})

/** @returns the problem with the result; `''` if the options were read, or refused with a reason */
function readOrExplain(given: unknown): string {
  let read: ResolvedOptions
  try {
    read = readOptions(given, 'understudy()')
  } catch (error) {
    const { message } = error as Error
    return message.startsWith('Failed to read the options of understudy(): ') ? '' : message
  }
  const { handlers, enabled, worker, leaks } = read
  const isRead =
    ['string', 'undefined'].includes(typeof handlers) &&
    ['boolean', 'undefined'].includes(typeof enabled) &&
    worker.file.endsWith('js') &&
    ['error', 'warn'].includes(leaks)
  return isRead ? '' : `these options were taken: ${Object.keys(read).join(', ')}`
}

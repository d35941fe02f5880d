import fc from 'fast-check'
import { expect, it } from 'vitest'

import { fuzzSettings } from '../../engine/src/testing/fuzz-settings.ts'
import { readUnderstudyOptions, type ResolvedUnderstudyOptions, type UnderstudyOptions } from './options.ts'

const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withSparseArray: true })
const name = fc.constantFrom('ssr', 'vitest', 'quiet', '__proto__', 'constructor')
const tests = fc.dictionary(
  fc.constantFrom('onUnhandledRequest', 'answer', 'x', '__proto__'),
  fc.oneof(anything, fc.constantFrom('warn', 'error', 'page')),
)
const options = fc.oneof(
  anything,
  fc.dictionary(name, fc.oneof(anything, tests, fc.boolean()), { maxKeys: 3 }),
  fc.record({ vitest: fc.oneof(tests, anything) }),
)

it('takes any options of the Vite plugin, or refuses them with a reason', () => {
  fc.assert(
    fc.property(options, (given) => {
      expect(readOrExplain(given)).toBe('')
    }),
    fuzzSettings<[unknown]>(
      [[null], [{ vitest: null }], [{ vitest: [] }], [{ vitest: { onUnhandledRequest: null } }]],
      3_000,
    ),
  )
})

/** @returns the problem with the result; `''` if the options were read, or refused with a reason */
function readOrExplain(given: unknown): string {
  let read: ResolvedUnderstudyOptions
  try {
    read = readUnderstudyOptions(given as UnderstudyOptions)
  } catch (error) {
    const { message } = error as Error
    return message.startsWith('Failed to read the options of understudy(): ') ? '' : message
  }
  const { ssr, vitest } = read
  const isRead =
    typeof ssr === 'boolean' &&
    typeof vitest.isOn === 'boolean' &&
    [undefined, 'bypass', 'warn', 'error'].includes(vitest.onUnhandledRequest) &&
    ['page', 'worker'].includes(vitest.answer)
  return isRead ? '' : `these options were taken: ${JSON.stringify(vitest)}`
}

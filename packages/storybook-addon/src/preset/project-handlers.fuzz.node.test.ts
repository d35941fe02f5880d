import fc from 'fast-check'
import { expect, it } from 'vitest'

import { fuzzSettings } from '../../../engine/src/testing/fuzz-settings.ts'
import type { AddonOptions } from '../options.ts'
import { declareOptions } from './project-handlers.ts'

const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withSparseArray: true })
const circle: { self?: unknown } = {}
circle.self = circle
const value = fc.oneof(
  anything,
  fc.array(fc.oneof(fc.webUrl(), fc.string(), anything), { maxLength: 3 }),
  fc.constantFrom<unknown>(circle, [circle], 5n, 'warn', '</script>', '\u2028', true, false, () => {}, Symbol('s')),
)
const options: fc.Arbitrary<object> = fc.record<Record<keyof AddonOptions, unknown>>(
  { handlers: value, onUnhandledRequest: value, quiet: value, composedBy: value },
  { requiredKeys: [] },
)

it('takes any options of the addon, or refuses them with a reason', () => {
  fc.assert(
    fc.property(options, (given) => {
      expect(declareOrExplain(given)).toBe('')
    }),
    fuzzSettings<[object]>([[{ composedBy: circle }], [{ quiet: 5n }], [{ composedBy: [5n] }]], 3_000),
  )
})

/** @returns the problem with the result; `''` if the options were declared, or refused with a reason */
function declareOrExplain(given: object): string {
  let statement: string
  try {
    statement = declareOptions({ configDir: '.storybook', ...given })
  } catch (error) {
    const { message } = error as Error
    return message.startsWith('Failed to read the options of @understudy/storybook-addon: ') ? '' : message
  }
  const declared = JSON.parse(statement.slice('export const options = '.length)) as Record<string, unknown>
  const isDeclared = Object.keys(declared).every((name) => ['onUnhandledRequest', 'quiet', 'composedBy'].includes(name))
  return isDeclared ? '' : `these options were declared: ${statement}`
}

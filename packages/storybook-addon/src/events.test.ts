import { expect, test } from 'vitest'

import { readSettingsParameter, toSettingsParameter } from './events.ts'

const settings = 'story+GET+%2Fapi%2F~boats=off&project+GET+%2Fapi%2Fboats%3Fa%3D1=503.delay-100'

test('settings survive an address that encodes them, and one that does not', () => {
  const value = toSettingsParameter(settings) ?? ''
  const encoded = new URL(`http://localhost/?${new URLSearchParams({ understudy: value })}`).searchParams
  const asItIs = new URL(`http://localhost/?understudy=${value}`).searchParams
  expect([encoded, asItIs].map((search) => readSettingsParameter(search.get('understudy')))).toEqual([
    settings,
    settings,
  ])
})

test('a value is the same when it is decoded, because Storybook writes decoded values into its address', () => {
  const value = toSettingsParameter(settings) ?? ''
  expect(decodeURIComponent(value)).toBe(value)
  expect(value).not.toMatch(/[&=+#%]/)
})

test('settings that a person wrote', () => {
  expect(readSettingsParameter(encodeURIComponent(settings))).toBe(settings)
  expect(readSettingsParameter(settings)).toBe(settings)
})

test.each([undefined, null, '', 5, '%'])('%o is not valid settings', (value) => {
  expect(readSettingsParameter(value)).toBe('')
})

test('without settings there is no parameter', () => {
  expect(toSettingsParameter('')).toBeUndefined()
})

import { expect, test } from 'vitest'

import { declareOptions } from './project-handlers.ts'

const declare = (options: object) => () => declareOptions({ configDir: '.storybook', ...options })

test('the preview gets only its options', () => {
  expect(declare({ composedBy: ['https://a.example', 'http://localhost:6006'], quiet: true, handlers: 'x' })()).toBe(
    'export const options = {"quiet":true,"composedBy":["https://a.example","http://localhost:6006"]}',
  )
})

test.each([
  [{ composedBy: '*' }, '"composedBy" is "*". It takes a list of origins'],
  [{ composedBy: ['*'] }, '"composedBy" is ["*"]'],
  [{ composedBy: ['https://a.example/'] }, 'without a path'],
  [{ composedBy: ['null'] }, '"composedBy" is ["null"]'],
  [{ onUnhandledRequest: () => {} }, 'a function is exported by the handlers module, as "onUnhandledRequest"'],
  [{ onUnhandledRequest: 'ignore' }, '"onUnhandledRequest" is "ignore". It takes "bypass", "warn" or "error".'],
  [{ quiet: 'no' }, '"quiet" is "no". It takes a boolean.'],
  [{ handlers: ['a.ts'] }, '"handlers" is ["a.ts"]. It takes a file name, or false.'],
])('refuses %o', (options, message) => {
  expect(declare(options)).toThrow(message)
})

import { expect, test } from 'vitest'

import { declareOptions } from './project-handlers.ts'

const declare = (options: object) => () => declareOptions({ configDir: '.storybook', ...options })

test('the preview gets what concerns it', () => {
  expect(declare({ composedBy: ['https://a.example', 'http://localhost:6006'], quiet: true, handlers: 'x' })()).toBe(
    'export const options = {"quiet":true,"composedBy":["https://a.example","http://localhost:6006"]}',
  )
})

test.each([
  [{ composedBy: '*' }, '"composedBy" is "*". Give it a list of origins'],
  [{ composedBy: ['*'] }, '"composedBy" is ["*"]'],
  [{ composedBy: ['https://a.example/'] }, 'without a path'],
  [{ composedBy: ['null'] }, '"composedBy" is ["null"]'],
  [{ onUnhandledRequest: () => {} }, 'Export it from the handlers module (src/mocks/handlers.ts), under this name.'],
  [{ onUnhandledRequest: 'ignore' }, '"onUnhandledRequest" is "ignore". Give it "bypass", "warn" or "error".'],
])('refuses %o', (options, message) => {
  expect(declare(options)).toThrow(message)
})

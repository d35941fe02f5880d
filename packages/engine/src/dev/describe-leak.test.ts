import { expect, test } from 'vitest'

import { describeLeak } from './describe-leak.ts'

const action =
  'the plugin adds mocks automatically. To build with mocks, set the option "enabled" to true. ' +
  'To get a warning instead, set "leaks" to "warn". (US0801)'

test('names the import and the chain that leads to it', () => {
  expect(describeLeak(['src/main.ts', 'src/debug.ts', 'src/mocks/handlers.ts']).message).toBe(
    'Failed to leave mocks out of the build: src/debug.ts imports src/mocks/handlers.ts ' +
      `(src/main.ts → src/debug.ts → src/mocks/handlers.ts). Remove that import: ${action}`,
  )
})

test('shows no chain for a direct import', () => {
  expect(describeLeak(['src/main.ts', '@understudy/engine']).message).toBe(
    `Failed to leave mocks out of the build: src/main.ts imports @understudy/engine. Remove that import: ${action}`,
  )
})

test('names an entry that is a handlers file', () => {
  expect(describeLeak(['src/mocks/handlers.ts']).message).toBe(
    `Failed to leave mocks out of the build: src/mocks/handlers.ts is an entry of it. Remove it from the entries: ${action}`,
  )
})

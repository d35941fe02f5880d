import { expect, test } from 'vitest'

import { describeLeak } from './describe-leak.ts'

const mend =
  'the plugin brings mocks in by itself. To build with mocks, set the option "enabled" to true; ' +
  'to be warned only, set "leaks" to "warn".'

test('names the import and the chain that leads to it', () => {
  expect(describeLeak(['src/main.ts', 'src/debug.ts', 'src/mocks/handlers.ts']).message).toBe(
    'Failed to leave mocks out of the build: src/debug.ts imports src/mocks/handlers.ts ' +
      `(src/main.ts → src/debug.ts → src/mocks/handlers.ts). Remove that import: ${mend}`,
  )
})

test('a chain of two says it all already', () => {
  expect(describeLeak(['src/main.ts', '@understudy/engine']).message).toBe(
    `Failed to leave mocks out of the build: src/main.ts imports @understudy/engine. Remove that import: ${mend}`,
  )
})

test('names an entry that is one itself', () => {
  expect(describeLeak(['src/mocks/handlers.ts']).message).toBe(
    `Failed to leave mocks out of the build: src/mocks/handlers.ts is an entry of it. Take it from the entries: ${mend}`,
  )
})

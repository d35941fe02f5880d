import { Network } from '@understudy/engine/internal/page'
import { expect, test } from 'vitest'

import type { PageMocking } from './mocking-state.ts'
import { applyUnhandled } from './unhandled.ts'

function create(state: Partial<PageMocking>): PageMocking {
  const mocking = { network: new Network([]), update() {}, handlersError: undefined, areHandlersLoaded: false }
  return Object.assign(mocking, state) as unknown as PageMocking
}

const handlersError = 'Failed to load the handlers of src/mocks/handlers.ts: boom'

test.each([
  ['the handlers of the project could not be loaded', { handlersError }, true],
  ['a later version could not be loaded', { handlersError, areHandlersLoaded: true }, false],
  ['they are loaded', { areHandlersLoaded: true }, false],
  ['the project has no handlers', {}, false],
])('if %s, a request that no handler matches fails: %o %s', (_name, state, isFailing) => {
  const policy = applyUnhandled(create(state))
  expect(policy.fails).toBe(isFailing)
  expect(policy.decides).toBe(isFailing)
})

test('the export "onUnhandledRequest" does not change that', () => {
  expect(applyUnhandled(create({ handlersError, onUnhandledRequest: () => {} })).fails).toBe(true)
})

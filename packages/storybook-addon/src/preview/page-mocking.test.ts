import { expect, test, vi } from 'vitest'

import { startMocking } from './page-mocking.ts'

test('without a page, as in a test that runs in Node, stories render, and a warning says that nothing is mocked', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await startMocking()
  expect(warn.mock.calls.flat().join()).toContain('Failed to mock requests from stories: mocking did not start.')
})

import { expect, test, vi } from 'vitest'

import { TestScope } from './test-scope.ts'

test('a scope says that it has ended where no signal can be read, as in a Worker of Cloudflare’s workerd', () => {
  const scope = new TestScope('a test')
  const aborted = vi.spyOn(AbortSignal.prototype, 'aborted', 'get').mockImplementation(() => {
    throw new Error('Cannot perform I/O on behalf of a different request.')
  })
  try {
    expect(scope.hasEnded).toBe(false)
    scope.end()
    expect(scope.hasEnded).toBe(true)
  } finally {
    aborted.mockRestore()
  }
  expect(scope.signal.aborted).toBe(true)
})

import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('an environment without the Fetch API is told of what it lacks', async () => {
  vi.resetModules()
  vi.stubGlobal('Response', undefined)
  await expect(import('./http-response.ts')).rejects.toThrow(
    'Failed to define HttpResponse: there is no global Response here, nor what else belongs to the Fetch API. ' +
      "Let the test environment have Node's own: in Jest, set testEnvironment to '@understudy/engine/jest-jsdom'.",
  )
})

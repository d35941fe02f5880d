import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('an environment without the Fetch API gets an error that names what is missing', async () => {
  vi.resetModules()
  vi.stubGlobal('Response', undefined)
  await expect(import('./http-response.ts')).rejects.toThrow(
    'Failed to define HttpResponse: there is no global Response, and the Fetch API is missing. ' +
      "Use a test environment that has the Fetch API: in Jest, set testEnvironment to '@understudy/engine/jest-jsdom'.",
  )
})

import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

// A set-up for MSW 1 adds a Response, by whatwg-fetch, and no TextEncoder.
test.for(['Response', 'TextEncoder'])('an environment without %s gets an error that names it', async (missing) => {
  vi.resetModules()
  vi.stubGlobal(missing, undefined)
  await expect(import('./http-response.ts')).rejects.toThrow(
    `Failed to define HttpResponse: there is no global ${missing}, and the Fetch API is missing. ` +
      "Use a test environment that has the Fetch API: in Jest, set testEnvironment to '@understudy/engine/jest-jsdom'.",
  )
})

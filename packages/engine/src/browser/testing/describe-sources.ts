import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import { setupWorker, type SetupWorker } from '../start/setup-worker.ts'

/** Mocking for the tests of a suite. Handlers that a test adds with `use` are removed after it. */
export interface RunningSource {
  /** Whether the service worker answers, instead of the page. */
  readonly isWorker: boolean
  readonly worker: SetupWorker
  use(...handlers: Handler[]): void
}

/**
 * Defines the same tests three times: with the service worker, in the page with a worker, and in the page without a
 * worker.
 */
export function describeSources(what: string, define: (source: RunningSource) => void): void {
  describe.each([
    ['the service worker', 'worker', true],
    ['the page beside a service worker', 'page', true],
    ['the page itself', 'worker', false],
  ] as const)(`${what} answered by %s`, (_name, answer, hasWorker) => {
    const isWorker = hasWorker && answer === 'worker'
    const native = fetch
    let worker: SetupWorker

    beforeAll(async () => {
      if (!hasWorker) Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
      const info = vi.spyOn(console, 'info').mockImplementation(() => {})
      worker = setupWorker()
      await worker.start({
        quiet: true,
        answer,
        onUnhandledRequest: 'bypass',
        serviceWorker: { url: '/understudy-worker.js', options: { scope: '/' } },
      })
      info.mockRestore()
      expect(fetch === native).toBe(isWorker)
    })
    afterEach(() => {
      worker.resetHandlers()
      worker.cookies.clear()
      vi.restoreAllMocks()
    })
    afterAll(() => {
      worker.stop()
      Reflect.deleteProperty(navigator, 'serviceWorker')
    })

    define({
      isWorker,
      get worker() {
        return worker
      },
      use: (...handlers) => worker.use(...handlers),
    })
  })
}

/** The exports of `msw/browser`. */
import type { Handler } from '@understudy/engine'
import { setupWorker as setUp, type SetupWorker, type StartOptions } from '@understudy/engine/browser'

export type { FindWorker, SetupWorker, SetupWorkerApi, StartOptions } from '@understudy/engine/browser'

/**
 * The engine's `setupWorker`, with MSW's URL for the worker: `/mockServiceWorker.js`.
 *
 * @throws {UnderstudyError} if an argument is not a handler
 */
export function setupWorker(...handlers: readonly Handler[]): SetupWorker {
  const worker = setUp(...handlers)
  return {
    ...worker,
    start: (options: StartOptions = {}) =>
      worker.start({ ...options, serviceWorker: { url: '/mockServiceWorker.js', ...options.serviceWorker } }),
  }
}

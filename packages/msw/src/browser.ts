/** What `msw/browser` exports. */
import type { Handler } from '@understudy/engine'
import { setupWorker as setUp, type SetupWorker, type StartOptions } from '@understudy/engine/browser'

export type { FindWorker, SetupWorker, SetupWorkerApi, StartOptions } from '@understudy/engine/browser'

/**
 * `setupWorker` of the engine, whose worker is at MSW's address: `/mockServiceWorker.js`.
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

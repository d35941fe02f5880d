import type { UnhandledOptions } from '../../core/unhandled/unhandled-request.ts'
import type { FindWorker } from '../service-worker/worker-registration.ts'

/** Options of `worker.start()`. */
export interface StartOptions extends UnhandledOptions {
  serviceWorker?: {
    /** URL of the worker's script. Default: `/understudy-worker.js`, the path at which the plugins serve it. */
    url?: string | URL
    /** The options of `navigator.serviceWorker.register`. */
    options?: RegistrationOptions
    /** If the script is missing, `true` answers requests in the page, and `false` fails. Default: `false`. */
    isOptional?: boolean
  }
  /** Finds the worker's script among the registered ones, if its URL is not known in advance. */
  findWorker?: FindWorker
  /**
   * Where `fetch` and `XMLHttpRequest` are answered. With `'page'`, these requests skip the service worker: this is
   * many times faster, but the developer tools do not show them. The worker answers all other requests in both cases.
   * Default: `'worker'`.
   *
   * @example
   * await worker.start({ answer: 'page' })
   */
  answer?: 'page' | 'worker'
  /** Disables the console line for each request. Default: `false`. */
  quiet?: boolean
  /** An option of MSW 1 and 2. It has no effect: after the call of `start()`, requests always wait until mocking is on. */
  waitUntilReady?: boolean
}

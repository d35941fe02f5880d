import type { UnhandledOptions } from '../../core/unhandled/unhandled-request.ts'
import type { FindWorker } from '../service-worker/worker-registration.ts'

/** Options of `worker.start()`. */
export interface StartOptions extends UnhandledOptions {
  serviceWorker?: {
    /** URL of the worker's script. Default: `/understudy-worker.js`, where the plugins serve it. */
    url?: string | URL
    /** As for `navigator.serviceWorker.register`. */
    options?: RegistrationOptions
    /** Where the script is not there, requests are answered in the page itself. Default: `false`, which fails. */
    isOptional?: boolean
  }
  /** Tells the worker's script among the registered ones, where its URL is not known beforehand. */
  findWorker?: FindWorker
  /**
   * Who answers `fetch` and `XMLHttpRequest`. With `'page'`, they do not travel to the service worker and back, which is
   * many times faster, and the developer tools do not show them. The worker answers all other requests in both cases.
   * Default: `'worker'`.
   *
   * @example
   * await worker.start({ answer: 'page' })
   */
  answer?: 'page' | 'worker'
  /** No console output for each request. Default: `false`. */
  quiet?: boolean
  /** Of MSW 1 and 2, and without effect: requests wait wherever they can. */
  waitUntilReady?: boolean
}

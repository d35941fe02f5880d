import type { UnhandledOptions } from '../core/network/unhandled-request.ts'
import type { FindWorker } from './worker-registration.ts'

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
  /** No console output for each request. Default: `false`. */
  quiet?: boolean
  /** Of MSW 1 and 2, and without effect: requests wait wherever they can. */
  waitUntilReady?: boolean
}

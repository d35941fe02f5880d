/** What describes unhandled requests. `load-unhandled-report.ts` loads it. */
export { describeUnhandled, suggestHandler } from './describe-unhandled.ts'
export { findNearestHandlers } from './nearest-handlers.ts'

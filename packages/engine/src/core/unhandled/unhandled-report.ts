/** What describes unhandled requests. The start of mocking sets it. */
export { describeUnhandled, suggestHandler } from './describe-unhandled.ts'
export { findNearestHandlers } from './nearest-handlers.ts'

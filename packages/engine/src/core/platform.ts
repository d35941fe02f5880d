/**
 * The platform's classes at the time when the engine loads. Test set-ups may replace the globals later with those of
 * node-fetch or jsdom, and the engine must not use those.
 */
export const Request: typeof globalThis.Request = globalThis.Request
export const Response: typeof globalThis.Response = globalThis.Response
export const Headers: typeof globalThis.Headers = globalThis.Headers
export const AbortController: typeof globalThis.AbortController = globalThis.AbortController

/**
 * The platform's classes at the time when the engine loads. Test set-ups may replace the globals later with those of
 * node-fetch or jsdom, and the engine must not use those.
 */
// nock and MSW replace the class with a proxy, which throws after they have stopped. Its prototype has the class.
export const Request: typeof globalThis.Request = globalThis.Request?.prototype.constructor as never
export const Response: typeof globalThis.Response = globalThis.Response
export const Headers: typeof globalThis.Headers = globalThis.Headers

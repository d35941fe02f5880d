/**
 * The platform's classes as they are when the engine loads. Test set-ups replace the globals later, by those of node-fetch
 * or of jsdom: what the engine makes and checks must not change with them.
 */
export const Request: typeof globalThis.Request = globalThis.Request
export const Response: typeof globalThis.Response = globalThis.Response
export const Headers: typeof globalThis.Headers = globalThis.Headers
export const AbortController: typeof globalThis.AbortController = globalThis.AbortController

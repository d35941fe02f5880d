/**
 * Callbacks that were written for MSW 1 expect other arguments than current ones. All code that adapts arguments is in
 * this module.
 */

/** The additional members of MSW 1's request, for listeners with one parameter: `(req) => console.log(req.method, req.url.href)`. */
const requestMembers: PropertyDescriptorMap & ThisType<{ request: Request; requestId: string }> = {
  id: {
    get() {
      return this.requestId
    },
  },
  method: {
    get() {
      return this.request.method
    },
  },
  url: {
    get() {
      return new URL(this.request.url)
    },
  },
  headers: {
    get() {
      return this.request.headers
    },
  },
}

/** Calls a listener with the arguments that it expects. In MSW 1, a listener with two parameters gets `(response, requestId)` or `(error, request)`. */
export function callListener(listener: (...args: never) => unknown, event: object): unknown {
  const call = listener as (...args: readonly unknown[]) => unknown
  const { request, requestId, response, error } = event as Record<string, unknown>
  if (listener.length >= 2 && response) return call(response, requestId)
  if (listener.length >= 2 && error) return call(error, request)
  return call(request ? Object.defineProperties(event, requestMembers) : event)
}

/**
 * Members of `URL` that a string does not have. A callback that reads them from `request.url` was written for MSW 1.
 */
const readsUrlObject = /\.url\s*\??\.\s*(?:href|pathname|searchParams|origin|host|hostname|hash|protocol|port)\b/

/**
 * Returns the request that a callback for unhandled requests expects. In MSW 1, its `url` is a `URL`; in later
 * versions, it is a string. Only the callback's source code shows which of the two it expects.
 */
export function toExpectedRequest(callback: (...args: never) => unknown, request: Request, requestId: string): Request {
  if (!readsUrlObject.test(Function.prototype.toString.call(callback))) return request
  return Object.defineProperties(request.clone(), {
    id: { value: requestId },
    url: { value: new URL(request.url) },
  })
}

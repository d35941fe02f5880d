import type { HeldPage } from './held-page.ts'
import { hasBypassMark } from './never-held.ts'

/**
 * Holds calls of `fetch`. As in the platform, the request is constructed at the time of the call: invalid arguments are
 * rejected, the URL is resolved, and the body is copied.
 */
export function holdFetch(page: HeldPage): void {
  const { scope } = page
  const { Request } = scope

  page.wrapFunction(scope, 'fetch', (_self, args: Parameters<typeof fetch>, perform) => {
    return new Promise((resolve, reject) => {
      const request = new Request(...args)
      const { headers, signal, url } = request
      // The platform rejects requests that are already aborted, with the signal's reason.
      if (signal.aborted || hasBypassMark(headers.get('accept')) || !page.resolve(url)) {
        resolve(perform([request]))
        return
      }
      const withdraw = page.hold(() => {
        // An error that the replacement throws becomes a rejection in a promise callback. The request may be aborted
        // before that callback runs.
        new Promise<Response>((settle) => settle(perform([request]) as Response)).then(resolve, reject)
      }, url)
      signal.addEventListener('abort', () => {
        withdraw?.()
        reject(signal.reason as Error)
      })
    })
  })
}

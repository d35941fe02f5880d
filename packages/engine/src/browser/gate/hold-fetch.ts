import type { HeldPage } from './held-page.ts'
import { hasBypassMark } from './never-held.ts'

/**
 * Holds calls of `fetch`. The request is made at the time of the call, as the platform does: an invalid one
 * is refused, its URL resolved, its body captured.
 */
export function holdFetch(page: HeldPage): void {
  const { scope } = page
  const { Request } = scope

  page.wrapFunction(scope, 'fetch', (_self, args: Parameters<typeof fetch>, perform) => {
    return new Promise((resolve, reject) => {
      const request = new Request(...args)
      const { headers, signal, url } = request
      // What is aborted already the platform refuses, with the signal's reason.
      if (signal.aborted || hasBypassMark(headers.get('accept')) || !page.resolve(url)) {
        resolve(perform([request]))
        return
      }
      const withdraw = page.hold(() => {
        // A promise within: what a carrier throws refuses the request.
        resolve(new Promise((settle) => settle(perform([request]))))
      })
      signal.addEventListener('abort', () => {
        withdraw?.()
        reject(signal.reason as Error)
      })
    })
  })
}

import { captureBody } from './capture-body.ts'
import type { HeldPage } from './held-page.ts'

/**
 * Holds calls of `navigator.sendBeacon`. They return `true` ("queued"). If the platform later refuses the data because
 * of its size, the app does not learn it.
 */
export function holdSendBeacon(page: HeldPage): void {
  const { prototype } = page.scope.Navigator

  page.wrapFunction(prototype, 'sendBeacon', (_self, args: Parameters<Navigator['sendBeacon']>, perform) => {
    const url = page.resolve(args[0])
    if (args.length < 1 || !url) return perform()
    const data = captureBody(args[1])
    page.hold(() => {
      perform([url, data])
    }, url)
    return true
  })
}

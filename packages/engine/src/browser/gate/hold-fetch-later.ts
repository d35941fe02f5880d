import type { FetchLater } from './gate.ts'
import type { HeldPage } from './held-page.ts'

/** Holds calls of `fetchLater`. If the page ends before the gate opens, their requests end with it. */
export function holdFetchLater(page: HeldPage): void {
  page.wrapFunction(page.scope, 'fetchLater', (_self, [input, init]: Parameters<FetchLater>, perform) => {
    const request = new page.scope.Request(input, init)
    let later = { activated: false }
    page.hold(() => {
      if (!request.signal.aborted) later = perform([request, init]) as typeof later
    })
    return {
      get activated() {
        return later.activated
      },
    }
  })
}

import type { HeldPage } from './held-page.ts'
import { holdConnections, type Unconnected } from './hold-connections.ts'

/** Holds EventSources: their state is `CONNECTING` until the gate opens. */
export function holdEventSource(page: HeldPage): void {
  holdConnections(page, 'EventSource', (target, [url, init]) => {
    const resolved = page.resolve(url)
    if (!resolved) return undefined
    const withCredentials = Boolean((init as EventSourceInit | undefined)?.withCredentials)
    const standIn = {
      url: resolved.href,
      withCredentials,
      readyState: 0,
      close() {
        standIn.readyState = 2
        unconnected.withdraw?.()
      },
    }
    const unconnected: Unconnected = {
      args: [resolved, { withCredentials }],
      standIn,
      fail() {
        standIn.readyState = 2
        target.dispatchEvent(new page.scope.Event('error'))
      },
    }
    return unconnected
  })
}

/** A request that failed, in milliseconds since 1970. */
export interface FailedRequest {
  readonly url: string
  readonly startedAt: number
  readonly endedAt: number
}

/** The members of a logged request that are compared. */
interface ComparedRequest {
  readonly url: string
  readonly startedAt: number
  readonly outcome: string
  readonly status: number | null
  readonly partOf?: string
}

/** Clocks of the page are rounded. */
const tolerance = 5
/** How long after its end a request can still arrive in the log: the page may have been busy. */
const lateLimit = 1000
/** The maximum number of requests that wait for their arrival in the log. */
const waitingLimit = 50

type Notify = (failed: FailedRequest) => void

/** The page's only observer, while there are inspections. */
let observer: PerformanceObserver | undefined
/** An inspection has no end in the API. It ends when nothing refers to its network any more. */
const watched = new Set<WeakRef<object>>()
const notifies = new WeakMap<object, Notify>()

/**
 * Calls a function with each request of the page's scripts that the page aborted, or that the network failed, until the owner is
 * garbage-collected. Service workers do not learn of an abort before there is a response, but browsers report both as resources without a
 * status. Nothing distinguishes one from the other.
 */
export function watchFailures(owner: object, notify: Notify): void {
  if (typeof document !== 'object' || typeof PerformanceObserver !== 'function') return
  if (PerformanceObserver.supportedEntryTypes?.includes('resource') !== true) return
  watched.add(new WeakRef(owner))
  notifies.set(owner, notify)
  if (observer) return
  observer = new PerformanceObserver(report)
  observer.observe({ type: 'resource' })
}

/** A separate function, so that it keeps no owner. */
function report(list: PerformanceObserverEntryList): void {
  for (const each of watched) if (!each.deref()) watched.delete(each)
  if (watched.size === 0) {
    observer?.disconnect()
    observer = undefined
  }
  for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
    if (entry.responseStatus !== 0 || !/^(?:fetch|xmlhttprequest)$/.test(entry.initiatorType)) continue
    // In Firefox, `responseEnd` of an aborted request is the time of its start.
    const startedAt = performance.timeOrigin + entry.startTime
    const failed = { url: entry.name, startedAt, endedAt: Date.now() }
    for (const each of watched) {
      const owner = each.deref()
      if (owner) notifies.get(owner)?.(failed)
    }
  }
}

/** Finds which logged requests have failed. Only the URL and the times connect the two. */
export class FailedRequests {
  #waiting: FailedRequest[] = []

  /**
   * Returns the requests that may be the one that failed, the oldest first.
   *
   * @param requests the newest first
   */
  find<Logged extends ComparedRequest>(failed: FailedRequest, requests: readonly Logged[]): readonly Logged[] {
    const same = requests.filter(
      ({ url, startedAt }) =>
        withoutHash(url) === withoutHash(failed.url) &&
        startedAt >= failed.startedAt - tolerance &&
        startedAt <= failed.endedAt + tolerance,
    )
    if (same.length === 0) this.#waiting = [...this.#waiting, failed].slice(-waitingLimit)
    return same.filter((request) => isOpen(request)).toReversed()
  }

  /** Returns whether a request that arrives now has failed before. */
  hasFailed(url: string, now: number): boolean {
    this.#waiting = this.#waiting.filter(({ endedAt }) => now - endedAt < lateLimit)
    const index = this.#waiting.findIndex((failed) => withoutHash(failed.url) === withoutHash(url))
    if (index >= 0) this.#waiting.splice(index, 1)
    return index >= 0
  }
}

/** Returns whether neither a handler nor the network has answered. */
function isOpen({ outcome, status, partOf }: ComparedRequest): boolean {
  return outcome === 'pending' || (outcome !== 'mocked' && outcome !== 'network-error' && status === null && !partOf)
}

function withoutHash(url: string): string {
  return url.split('#', 1)[0] as string
}

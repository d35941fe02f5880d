import { AsyncLocalStorage } from 'node:async_hooks'

/** A decided request that is sent to the network. */
interface DecidedRequest {
  /** Upper case. */
  readonly method: string
  readonly url: URL
  /** Whether no handler may answer what it is redirected to either. */
  readonly isBypassed?: boolean
}

const sending = new AsyncLocalStorage<DecidedRequest & { isTaken: boolean }>()
let isUsed = false

/**
 * Sends a decided request to the network. A dispatcher, a socket or another `fetch` that intercepts the same request calls
 * {@link takeDecided} and lets it pass. Other requests in the same async context (a wrapper may request a token first) are
 * still decided.
 */
export function sendDecided<Result>(request: DecidedRequest, send: () => Result): Result {
  isUsed = true
  return sending.run({ ...request, isTaken: false }, send)
}

/**
 * Returns whether a request is the decided request of this async context. Returns `true` only once: the next request to the
 * same URL is a different request. After a bypassed request, its redirects are decided, too.
 *
 * @param method upper case
 */
export function takeDecided(method: string, url: URL | undefined): boolean {
  const decided = isUsed ? sending.getStore() : undefined
  if (!decided) return false
  if (decided.isTaken) return decided.isBypassed === true
  if (decided.method !== method) return false
  if (url?.origin !== decided.url.origin || url.pathname !== decided.url.pathname) return false
  if (url.search !== decided.url.search) return false
  decided.isTaken = true
  return true
}

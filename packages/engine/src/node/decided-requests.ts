import { AsyncLocalStorage } from 'node:async_hooks'

/** A decided request on its way to the network. */
interface DecidedRequest {
  readonly method: string
  readonly url: URL
  isTaken: boolean
}

const sending = new AsyncLocalStorage<DecidedRequest>()
let isUsed = false

/**
 * Sends a decided request to the network. A dispatcher, a socket or another `fetch` that intercepts the same request calls
 * {@link takeDecided} and lets it pass. Other requests in the same async context (a wrapper may request a token first) are
 * still decided.
 *
 * @param method upper case
 */
export function sendDecided<Result>(method: string, url: URL, send: () => Result): Result {
  isUsed = true
  return sending.run({ method, url, isTaken: false }, send)
}

/**
 * Returns whether a request is the decided request of this async context. Returns `true` only once: the next request to the
 * same URL is a different request.
 *
 * @param method upper case
 */
export function takeDecided(method: string, url: URL | undefined): boolean {
  const decided = isUsed ? sending.getStore() : undefined
  if (!decided || decided.isTaken || decided.method !== method) return false
  if (url?.origin !== decided.url.origin || url.pathname !== decided.url.pathname) return false
  if (url.search !== decided.url.search) return false
  decided.isTaken = true
  return true
}

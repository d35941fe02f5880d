import { AsyncLocalStorage } from 'node:async_hooks'

/** A request that was decided about, and is being performed by what others see too: a dispatcher, another `fetch`. */
interface Performing {
  readonly method: string
  readonly url: URL
  isTaken: boolean
}

const performing = new AsyncLocalStorage<Performing>()
let isUsed = false

/**
 * Performs a request that was decided about. Whatever sees the same request on its way to the network asks
 * {@link takeDecided}, and lets it pass. Other requests that are made meanwhile (a wrapper that gets a token first) are
 * decided about as always.
 *
 * @param method upper case
 */
export function performDecided<Result>(method: string, url: URL, perform: () => Result): Result {
  isUsed = true
  return performing.run({ method, url, isTaken: false }, perform)
}

/**
 * Whether a request was decided about already, in this asynchronous context. It says so once: the next request to the same
 * URL is another one.
 *
 * @param method upper case
 */
export function takeDecided(method: string, url: URL | undefined): boolean {
  const decided = isUsed ? performing.getStore() : undefined
  if (!decided || decided.isTaken || decided.method !== method) return false
  if (url?.origin !== decided.url.origin || url.pathname !== decided.url.pathname) return false
  if (url.search !== decided.url.search) return false
  decided.isTaken = true
  return true
}

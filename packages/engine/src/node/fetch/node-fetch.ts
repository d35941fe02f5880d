/** `RequestInit` as Node reads it. */
export interface NodeRequestInit extends RequestInit {
  duplex?: 'half'
  /** Sends the request instead of the process's own connections. */
  dispatcher?: unknown
}

export type FetchInput = string | URL | Request

export type NodeFetch = (input: FetchInput, init?: NodeRequestInit) => Promise<Response>

const replacements = new WeakSet<object>()

/** Marks a function that stands in for Node's `fetch`: the one of another server may stand in for it. */
export function markAsNodeFetch(fetch: NodeFetch): void {
  replacements.add(fetch)
}

/** Whether a function is the `fetch` that Node brings. Others are built on `http`, or on a page's XMLHttpRequest. */
export function isNodeFetch(fetch: unknown): fetch is NodeFetch {
  if (typeof fetch !== 'function') return false
  return replacements.has(fetch) || Function.prototype.toString.call(fetch).includes('internal/deps/undici')
}

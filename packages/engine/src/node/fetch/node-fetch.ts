/** `RequestInit` with Node's additional options. */
export interface NodeRequestInit extends RequestInit {
  duplex?: 'half'
  /** Sends the request instead of the process's default dispatcher. */
  dispatcher?: unknown
}

export type FetchInput = string | URL | Request

export type NodeFetch = (input: FetchInput, init?: NodeRequestInit) => Promise<Response>

const replacements = new WeakSet<object>()

/** Marks a function as a replacement of Node's `fetch`, so that another replacement treats it like Node's. */
export function markAsNodeFetch(fetch: NodeFetch): void {
  replacements.add(fetch)
}

/** Returns whether a function is Node's own `fetch`. Other implementations use `http` or a page's XMLHttpRequest. */
export function isNodeFetch(fetch: unknown): fetch is NodeFetch {
  if (typeof fetch !== 'function') return false
  return replacements.has(fetch) || Function.prototype.toString.call(fetch).includes('internal/deps/undici')
}

/**
 * The shape of the requests that a handler *could* match, which is known without running it. It is conservative: a
 * request outside the shape never matches, and a request inside the shape may match or not. It is plain data, because
 * the service worker has a table of routes (see `worker/protocol.ts`).
 */
export interface Route {
  /** Upper-case methods; `null`: any. */
  readonly methods: readonly string[] | null
  /** An origin in the form of `URL.origin` (`https://example.com:8080`); `null`: any. */
  readonly origin: string | null
  /** Path segments, normalized by {@link normalizeSegment}. `null` stands for exactly one segment with any text. */
  readonly segments: readonly (string | null)[]
  /** Whether further segments may follow. */
  readonly open: boolean
  /**
   * For requests without a body (GET, HEAD): parameters of which the URL's query has at least one, so that a GraphQL
   * handler for any URL does not match a page's assets. Default: any query.
   */
  readonly search?: readonly string[]
  /**
   * Whether it matches no requests for documents and for code of the app; see `core/network/document-request.ts`. Default:
   * it may.
   */
  readonly skipsDocuments?: true
  /** Whether every request of this shape matches. */
  readonly exact: boolean
}

/** The route of a handler that may match anything: a predicate function, a RegExp. */
export const anyRoute: Route = { methods: null, origin: null, segments: [], open: true, exact: false }

/**
 * Normalizes a segment, so that segments that match each other are equal: percent-decoded if possible, in lower case.
 */
export function normalizeSegment(segment: string): string {
  return decodeOrKeep(segment).toLowerCase()
}

/** Returns the segments of a path without empty ones, so that a slash at the end makes no difference. */
export function splitPath(pathname: string): string[] {
  return pathname.split('/').filter((segment) => segment !== '')
}

/** Percent-decodes a text. A text without valid percent-encoding (`%E0%A4%A`) stays as it is. */
export function decodeOrKeep(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

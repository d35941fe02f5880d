/**
 * What is known of a handler without running it: the shape of the requests that it *could* match.
 * It is conservative: a request outside the shape never matches, one inside may or may not.
 *
 * Plain data, because the service worker holds a table of them (see `worker/protocol.ts`).
 */
export interface Route {
  /** Upper-case methods; `null`: any. */
  readonly methods: readonly string[] | null
  /** An origin, serialised as URLs do (`https://example.com:8080`); `null`: any. */
  readonly origin: string | null
  /** Path segments, normalised by {@link normalizeSegment}; `null` stands for exactly one segment of any text. */
  readonly segments: readonly (string | null)[]
  /** Whether more path may follow the segments. */
  readonly open: boolean
  /**
   * Of requests without a body (GET, HEAD): parameters of which the URL's query has at least one. Default: it may be any
   * query. So a handler that reads the query at any URL leaves a page's assets alone.
   */
  readonly search?: readonly string[]
  /** Whether it matches no requests for documents; see `core/network/document-request.ts`. Default: it may. */
  readonly skipsDocuments?: true
  /** Whether every request of this shape matches: then the shape says it all. */
  readonly exact: boolean
}

/** The route of a handler that may match anything: a predicate function, a RegExp. */
export const anyRoute: Route = { methods: null, origin: null, segments: [], open: true, exact: false }

/** One spelling for segments that match each other: percent-decoded where possible, in lower case. */
export function normalizeSegment(segment: string): string {
  return decodeOrKeep(segment).toLowerCase()
}

/** The segments of a path; empty ones are left out, so that a slash at the end makes no difference. */
export function splitPath(pathname: string): string[] {
  return pathname.split('/').filter((segment) => segment !== '')
}

/** Percent-decodes; text without valid percent-encoding (`%E0%A4%A`) stays as it is. */
export function decodeOrKeep(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

import type { MatchedParams, PathPattern } from '../routing/path-pattern.ts'
import type { IncomingRequest } from './incoming-request.ts'

/** The difference between a request and what a handler matches. */
export interface Mismatch {
  /**
   * The number of differences, 0 or more. The handler with the smallest distance is the nearest.
   */
  distance: number
  /** A text for messages: `path matches, method differs: GET expected, POST sent`. */
  difference: string
}

/** What a handler expects of one key of the query. */
export interface QueryCondition {
  readonly key: string
  /** The condition for messages: `page=2`. */
  readonly text: string
  /** Adds the matched values to the parameters. Returns `false` if the values do not match. */
  readonly take: (values: readonly string[], params: MatchedParams) => boolean
}

/**
 * Explains why a handler with a method, a path and maybe a query does not match a request.
 *
 * @returns `undefined` if the two have too little in common for a suggestion
 */
export type ExplainMismatch = (
  method: string | null,
  pattern: PathPattern,
  query: { readonly conditions: readonly QueryCondition[] } | undefined,
  incoming: IncomingRequest,
) => Mismatch | 'matches' | undefined

import type { IncomingRequest } from '../network/incoming-request.ts'
import type { PathPattern } from '../routing/path-pattern.ts'

/** How a request differs from what a handler answers. */
export interface Miss {
  /** 0 and more; the least is the nearest. A step is one thing that a developer would mend. */
  distance: number
  /** For people: `path matches, method differs: GET expected, POST sent`. */
  difference: string
}

/**
 * Why a request is not what a handler of a method, a path and maybe a query answers.
 *
 * @returns nothing where the two have too little in common to be worth telling
 */
export type ExplainMiss = (
  method: string | null,
  pattern: PathPattern,
  query: { explain(params: URLSearchParams): string | undefined } | undefined,
  incoming: IncomingRequest,
) => Miss | 'matches' | undefined

import type { LoggedRequest, RequestDetails } from '@understudy/engine/inspect'

import { bodyLimit, isExchange, type Exchange } from '../handler-code/exchange.ts'
import { findObstacle, lengthOf, toExchange } from '../handler-code/to-exchange.ts'
import type { PanelHost } from '../panel-host.ts'
import { readOperation } from './read-operation.ts'

/** The source of a review: recorded requests, or a file that may be an HTTP archive. */
export type ReviewSource = readonly LoggedRequest[] | File

/** A request in the review. */
export interface ReviewEntry {
  readonly request: LoggedRequest
  /** `null`: its headers and bodies are no longer available. */
  readonly details: RequestDetails | null
  /** The data to save as a handler; `null` if it cannot be saved. */
  readonly exchange: Exchange | null
  /** The reason why it cannot be saved; `null` if it can. */
  readonly obstacle: string | null
}

export function toReviewEntry(request: LoggedRequest, details: RequestDetails | null, host: PanelHost): ReviewEntry {
  if (!details) return { request, details, exchange: null, obstacle: 'The page is gone' }
  const named = { ...request, name: request.name ?? readOperation(request, details) }
  const made = toExchange(named, details, host)
  // Exclude an exchange that the dev server would refuse. Otherwise, none of the others could be saved.
  const exchange = isExchange(made) ? made : null
  return { request: named, details, exchange, obstacle: exchange ? null : findObstacle(request, details) }
}

/**
 * Returns whether an entry is selected at first. Documents and preflight requests seldom need a handler. A saved
 * redirect would lack its `Location`, because headers are not saved. A response from the browser's cache has no body.
 */
export function isSelectedAtFirst({ request, exchange }: ReviewEntry): boolean {
  if (!exchange || request.method === 'OPTIONS' || /^text\/html\b/.test(exchange.type)) return false
  return exchange.status < 300 || exchange.status >= 400
}

/** Returns whether an entry is final: its response has arrived, or it cannot be saved. */
export function isFinal({ request, details, exchange }: ReviewEntry): boolean {
  if (exchange !== null || details === null) return true
  const { response } = details.bodies
  return request.status !== null && (response?.isComplete !== false || lengthOf(response) > bodyLimit)
}

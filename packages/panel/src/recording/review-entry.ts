import type { LoggedRequest, RequestDetails } from '@understudy/engine/inspect'

import type { PanelHost } from '../panel-host.ts'
import { bodyLimit, isExchange, urlLimit, type Exchange } from '../save/exchange.ts'
import { toExchange } from '../save/to-exchange.ts'
import { readOperation } from './read-operation.ts'

/** What is reviewed: recorded requests, or a file that may be an HTTP archive. */
export type ReviewSource = readonly LoggedRequest[] | File

/** A request in the review. */
export interface ReviewEntry {
  readonly request: LoggedRequest
  /** `null`: its headers and bodies are not known any more. */
  readonly details: RequestDetails | null
  /** What is saved as a handler; `null` if it cannot be saved. */
  readonly exchange: Exchange | null
  /** Why it cannot be saved; `null` if it can. */
  readonly obstacle: string | null
}

export function toReviewEntry(request: LoggedRequest, details: RequestDetails | null, host: PanelHost): ReviewEntry {
  if (!details) return { request, details, exchange: null, obstacle: 'The page is gone' }
  const named = { ...request, name: request.name ?? readOperation(request, details) }
  const made = toExchange(named, details, host)
  // One that the dev server refuses would keep the others from being saved.
  const exchange = isExchange(made) ? made : null
  return { request: named, details, exchange, obstacle: exchange ? null : findObstacle(request, details) }
}

/**
 * Whether an entry is selected at first. Documents and preflight requests seldom need a handler. Redirects lack their
 * `Location` without the response's headers, and a response that the browser had already has no body.
 */
export function isSelectedAtFirst({ request, exchange }: ReviewEntry): boolean {
  if (!exchange || request.method === 'OPTIONS' || /^text\/html\b/.test(exchange.type)) return false
  return exchange.status < 300 || exchange.status >= 400
}

/** Whether an entry stays as it is: its response has arrived, or cannot be saved anyway. */
export function isFinal({ request, details, exchange }: ReviewEntry): boolean {
  if (exchange !== null || details === null) return true
  const { response } = details.bodies
  return request.status !== null && (response?.isComplete !== false || (response.text?.length ?? 0) > bodyLimit)
}

function findObstacle({ status, url }: LoggedRequest, { bodies: { response } }: RequestDetails): string {
  if (status === null) return 'No response'
  if (response?.base64 != null) return 'Binary body'
  if (response?.isComplete === false) return 'The body is not complete'
  if ((response?.text?.length ?? 0) > bodyLimit) return 'The body is too long'
  return url.length > urlLimit ? 'The URL is too long' : 'It cannot be saved'
}

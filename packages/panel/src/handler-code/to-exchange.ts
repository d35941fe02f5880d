import type { InspectedBody, InspectedHandler, LoggedRequest, RequestDetails } from '@understudy/engine/inspect'

import type { PanelHost, PanelState } from '../panel-host.ts'
import { bodyLimit, otherUrlsLimit, urlLimit, type Exchange } from './exchange.ts'

/**
 * Returns the exchange that the dev server saves; `null` if the response cannot be saved: it is very long, or the panel does
 * not have all of it.
 */
export function toExchange(request: LoggedRequest, details: RequestDetails, host: PanelHost): Exchange | null {
  const { method, url, name, status, handler } = request
  const body = details.bodies.response
  const state = host.getState()
  const isKept = body === null || (body.isComplete && lengthOf(body) <= bodyLimit)
  if (status === null || status < 200 || !isKept || url.length > urlLimit || !/^https?:/.test(url)) return null
  const others = state?.requests.filter((each) => each.method === method && each.url.length <= urlLimit) ?? []
  const otherUrls = new Set(others.map((each) => each.url).filter((each) => each !== url && /^https?:/.test(each)))
  return {
    method,
    url,
    name,
    status,
    // The page may not have sent the body yet.
    type: body?.type ?? readType(details) ?? '',
    text: body?.text ?? null,
    base64: body?.base64 ?? null,
    headers: [],
    pageUrl: state?.info.url ?? null,
    header: handler?.header ?? null,
    line: findHandler(handler, state)?.origin?.line ?? null,
    otherUrls: [...otherUrls].slice(0, otherUrlsLimit),
  }
}

/** Returns the number of characters of a body, as text or Base64. */
export function lengthOf({ text, base64 }: InspectedBody): number {
  return (text ?? base64 ?? '').length
}

/** Returns why {@link toExchange} returned `null`. */
export function findObstacle({ status, url }: LoggedRequest, { bodies: { response } }: RequestDetails): string {
  if (status === null) return 'No response'
  if (response?.isComplete === false) return 'The body is not complete'
  if (response && lengthOf(response) > bodyLimit) return 'The body is too long'
  return url.length > urlLimit ? 'The URL is too long' : 'It cannot be saved'
}

/** Returns the error for a response that cannot be saved. */
export function toSaveError(request: LoggedRequest, details: RequestDetails): Error {
  const obstacle = findObstacle(request, details)
  const reason = obstacle.slice(0, 1).toLowerCase() + obstacle.slice(1)
  return new Error(
    `Failed to save the handler: ${reason}. The panel saves complete bodies with up to ${bodyLimit.toLocaleString('en')} characters, or three quarters of that in bytes. Wait for the rest of the body, or put the body into a file of the project, and write the handler in your editor. (US0831)`,
  )
}

function readType({ headers }: RequestDetails): string | undefined {
  return headers?.response?.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
}

/** Returns the handler that answered. After a hot update or a reload, returns the only handler with the same header. */
export function findHandler(handler: LoggedRequest['handler'], state: PanelState | null): InspectedHandler | undefined {
  if (!handler || !state) return undefined
  const answered = state.handlers.find(({ id }) => id === handler.id)
  if (answered) return answered
  const [same, ...others] = state.handlers.filter(({ header }) => header === handler.header)
  return others.length === 0 ? same : undefined
}

/**
 * Does the same for a request that no handler matched. If it got no useful response, the handler returns an empty
 * object.
 */
export function toUnhandledExchange(request: LoggedRequest, details: RequestDetails, host: PanelHost): Exchange | null {
  const exchange = toExchange(request, details, host)
  // Dev servers answer unknown paths with the app's page.
  if ((exchange?.text || exchange?.base64) && exchange.status < 400 && !/^text\/html\b/.test(exchange.type))
    return exchange
  const empty = { ...details, bodies: { ...details.bodies, response: null } }
  const replaced = toExchange({ ...request, status: 200 }, empty, host)
  return replaced && { ...replaced, type: 'application/json', text: '{}' }
}

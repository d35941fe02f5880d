import type { InspectedHandler, LoggedRequest, RequestDetails } from '@understudy/engine/inspect'

import type { PanelHost, PanelState } from '../panel-host.ts'
import { bodyLimit, otherUrlsLimit, urlLimit, type Exchange } from './exchange.ts'

/**
 * Returns the exchange that the dev server saves; `null` if the response cannot be saved: it is not text, it is very
 * long, or the panel does not have all of it.
 */
export function toExchange(request: LoggedRequest, details: RequestDetails, host: PanelHost): Exchange | null {
  const { method, url, name, status, handler } = request
  const body = details.bodies.response
  const state = host.getState()
  const isText = body === null || (body.isComplete && body.text !== null && body.text.length <= bodyLimit)
  if (status === null || status < 200 || !isText || url.length > urlLimit || !/^https?:/.test(url)) return null
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
    headers: [],
    pageUrl: state?.info.url ?? null,
    header: handler?.header ?? null,
    line: findHandler(handler, state)?.origin?.line ?? null,
    otherUrls: [...otherUrls].slice(0, otherUrlsLimit),
  }
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
  if (exchange?.text && exchange.status < 400 && !/^text\/html\b/.test(exchange.type)) return exchange
  const empty = { ...details, bodies: { ...details.bodies, response: null } }
  const replaced = toExchange({ ...request, status: 200 }, empty, host)
  return replaced && { ...replaced, type: 'application/json', text: '{}' }
}

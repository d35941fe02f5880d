import type { InspectedHandler, LoggedRequest } from '@understudy/engine/inspect'

import { bodyLimit, urlLimit, type Exchange } from '../handler-code/exchange.ts'
import { readHeader, type ScenarioItem } from '../handler-code/scenario-item.ts'
import { toExchange } from '../handler-code/to-exchange.ts'
import type { PanelHost, PanelState } from '../panel-host.ts'

/** The overrides that a scenario can contain, and notes about what differs, in sentences. */
export interface ScenarioItems {
  readonly items: readonly ScenarioItem[]
  readonly notes: readonly string[]
}

/** Headers that describe the bytes on the wire. The response gets its own. */
const ownHeaders = new Set(['content-type', 'content-length', 'content-encoding', 'transfer-encoding'])

const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/** The maximum number of requests whose bodies are read for one handler. */
const requestsLimit = 10

/** Returns the handlers that a scenario can replace: those that answer, and are forced to answer something else. */
export function listOverridden({ handlers }: PanelState): readonly InspectedHandler[] {
  return handlers.filter(({ enabled, override }) => enabled && override !== null)
}

/**
 * Converts the overrides of a network into the handlers of a scenario. A scenario has data only: the response that the app gets
 * with the override.
 */
export async function toScenarioItems(state: PanelState, host: PanelHost): Promise<ScenarioItems> {
  const items: ScenarioItem[] = []
  const notes = state.handlers
    .filter(({ enabled }) => !enabled)
    .map(({ header }) => `${header} is switched off. A scenario cannot switch off a handler.`)
  for (const handler of listOverridden(state)) {
    const item = await toItem(handler, state, host, notes)
    if (!item) continue
    items.push(item)
    const taken = listTaken(handler, state)
    if (taken.length > 0) {
      notes.push(`In the scenario, ${handler.header} comes first, and also answers requests for ${taken.join(', ')}.`)
    }
  }
  return { items, notes }
}

async function toItem(
  handler: InspectedHandler,
  state: PanelState,
  host: PanelHost,
  notes: string[],
): Promise<ScenarioItem | undefined> {
  const { header, override } = handler
  const target = readHeader(header)
  const answered = listAnswered(handler, state)
  const [request] = answered
  if (!target && !request) {
    notes.push(`${header} is left out, because its path is not a text. Let the app send one request to it first.`)
    return undefined
  }
  if ((override?.body?.length ?? 0) > bodyLimit) {
    notes.push(`${header} is left out, because its edited body is too long.`)
    return undefined
  }
  const { status, headers, body, bodyEncoding, delay = 0, networkError = false } = override ?? {}
  const isResponse = status !== undefined || headers !== undefined || body !== undefined
  const answer = networkError ? 'error' : isResponse ? 'response' : 'next'
  const known = answer === 'response' ? await findExchange(answered, host) : null
  const hasBody = body !== undefined || hasAnyBody(known) || bodilessStatuses.has(status ?? known?.status ?? 200)
  if (answer === 'response' && !hasBody) {
    notes.push(
      `${header} answers without a body in the scenario, because the panel has no response of it. Let the app send the request again while the panel is open.`,
    )
  }
  const base64 = body === undefined ? (known?.base64 ?? null) : bodyEncoding === 'base64' ? body : null
  const text = base64 === null ? (body ?? known?.text ?? null) : null
  const type = headers?.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? known?.type
  const exchange: Exchange = {
    ...(known ?? toEmptyExchange(request, state)),
    status: status ?? known?.status ?? 200,
    text,
    base64,
    type: type || (text !== null && isJson(text) ? 'application/json' : ''),
    headers: (headers ?? []).filter(([name]) => !ownHeaders.has(name.toLowerCase())).slice(0, 50),
    header: target ? header : null,
    otherUrls: [],
  }
  return { exchange, answer, delay: Math.ceil(delay) }
}

/** Returns the requests that the handler answered: first those with its own response, then those with the forced one. */
function listAnswered(handler: InspectedHandler, { requests }: PanelState): readonly LoggedRequest[] {
  const { id, header, override } = handler
  const answered = requests.filter((request) => request.handler?.id === id)
  const all = answered.length > 0 ? answered : requests.filter((request) => request.handler?.header === header)
  const mocked = all.filter(({ outcome, thrown }) => outcome === 'mocked' && thrown === null)
  const own = mocked.filter(({ forced }) => forced?.status === undefined && forced?.isEdited !== true)
  const alike = mocked.filter(({ forced }) => forced?.status === override?.status && forced?.isEdited !== true)
  return [...new Set([...own, ...alike, ...all.slice(0, 1)])].slice(0, requestsLimit)
}

/** Returns the first response with a body: the page keeps bodies only while a panel is open. */
async function findExchange(requests: readonly LoggedRequest[], host: PanelHost): Promise<Exchange | null> {
  let first: Exchange | null = null
  for (const request of requests) {
    const exchange = toExchange(request, await host.details(request.id), host)
    if (hasAnyBody(exchange)) return exchange
    first ??= exchange
  }
  return first
}

function hasAnyBody(exchange: Exchange | null): boolean {
  return exchange?.text != null || exchange?.base64 != null
}

function toEmptyExchange(request: LoggedRequest | undefined, { info }: PanelState): Exchange {
  const pageUrl = info.url !== null && info.url.length <= urlLimit ? info.url : null
  const isKept = request !== undefined && request.url.length <= urlLimit
  return {
    method: request?.method ?? 'GET',
    url: isKept ? request.url : (pageUrl ?? 'http://localhost/'),
    name: request?.name ?? null,
    status: 200,
    type: '',
    text: null,
    headers: [],
    pageUrl,
    header: null,
    otherUrls: [],
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the handlers whose requests a handler takes if it is tried before them, although it comes after them now. */
function listTaken(handler: InspectedHandler, { handlers }: PanelState): readonly string[] {
  const own = readHeader(handler.header)
  if (own?.api !== 'http' || own.query) return []
  const taken = handlers
    .slice(0, handlers.indexOf(handler))
    // The handlers of other layers stay before the scenario.
    .filter(({ enabled, layer, override }) => enabled && layer === 'initial' && override === null)
    .filter(({ header }) => {
      const other = readHeader(header)
      const isSameMethod = own.member === 'all' || other?.member === own.member
      return other?.api === 'http' && isSameMethod && covers(own.target, other.target)
    })
  return [...new Set(taken.map(({ header }) => header))]
}

/** Returns whether a path matches what another one matches: `/users/:id` and `/users/me`. */
function covers(path: string, other: string): boolean {
  if (path === other) return false
  const segments = path.split('/')
  const others = other.split('/')
  for (const [index, segment] of segments.entries()) {
    if (segment === '*' && index === segments.length - 1) return others.length >= segments.length || index === 0
    const each = others[index]
    if (each === undefined || (segment !== each && segment !== '*' && !/^:\w+$/.test(segment))) return false
  }
  return segments.length === others.length
}

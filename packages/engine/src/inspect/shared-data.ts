import type { Override } from '../core/handlers/override.ts'
import type { ErrorText } from '../core/network/thrown-error.ts'
import type { LoggedConnection, LoggedFrame } from './connection-log.ts'
import type { InspectedHandler } from './inspect-handlers.ts'
import type { InspectedBodies } from './kept-bodies.ts'
import type { InspectedBody } from './kept-body.ts'
import type { RecordingMode } from './recording.ts'
import type { ForcedResponse, InspectedHeaders, LoggedHandler, LoggedRequest } from './request-log.ts'
import type { SearchMatch, SearchResult } from './search-details.ts'
import { isBoolean, isListOf, isNumber, isObjectOf, isOneOf, isOrNull, isText, type Shape } from './shape.ts'

// The data that networks share with panels, and the checks of their shape. Messages and storage can contain anything.

/** The names for the layer and the group of a handler, which the sharing page or server provides. */
export interface HandlerLabel {
  /** See `InspectedHandler.id`. */
  readonly id: number
  /** Replaces the layer's name: `'story'`, `'component'`, `'project'`. `null`: the layer's name. */
  readonly layer: string | null
  /** The name of its group, if it has one. */
  readonly group: string | null
}

/** The data of a shared network for panels, in addition to its snapshot. */
export interface NetworkInfo {
  /** The name of the network in panels: a page's title. */
  readonly title: string
  /** The page's URL; `null` if there is no page. */
  readonly url: string | null
  /** Notices that a panel shows at the top, in whole sentences: `'Mocking is off.'` */
  readonly notices: readonly string[]
  readonly labels: readonly HandlerLabel[]
  /** Whether it belongs to a server that renders pages, and not to a page. Default: `false`. */
  readonly isServer?: boolean
  /** Whether the log survives a reload. Missing: the network cannot keep it. */
  readonly preservesLog?: boolean
}

/** The log of a page that the tab has left, by a reload or a navigation. */
export interface EarlierPage {
  readonly url: string
  /** When the tab left the page: milliseconds since 1970. */
  readonly leftAt: number
  /** The newest first. Ids of handlers are `-1`, because the handlers of that page no longer exist. */
  readonly requests: readonly LoggedRequest[]
  /** The newest first. All of them are closed. */
  readonly connections: readonly LoggedConnection[]
}

/** The details of one request. */
export interface RequestDetails {
  readonly headers: InspectedHeaders | null
  readonly bodies: InspectedBodies
  /** The messages of a WebSocket connection; empty for a request. */
  readonly frames: readonly LoggedFrame[]
}

const isHeader = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => isText(part))

export const isOverride: Shape<Override> = isObjectOf<Override>(
  {
    status: isNumber,
    headers: isListOf(isHeader),
    body: isText,
    bodyEncoding: isOneOf('base64'),
    delay: isNumber,
    networkError: isBoolean,
  },
  'status',
  'headers',
  'body',
  'bodyEncoding',
  'delay',
  'networkError',
)

const isForcedResponse = isObjectOf<ForcedResponse>(
  { status: isNumber, delay: isNumber, networkError: isBoolean, isEdited: isBoolean },
  'status',
  'delay',
  'networkError',
  'isEdited',
)

export const isRecordingMode: Shape<RecordingMode> = isOneOf('unmatched', 'all')

export const isHandler: Shape<InspectedHandler> = isObjectOf<InspectedHandler>({
  id: isNumber,
  kind: isText,
  header: isText,
  layer: isOneOf('initial', 'scoped', 'runtime'),
  origin: isOrNull(isObjectOf({ file: isText, line: isNumber, column: isNumber })),
  hits: isNumber,
  enabled: isBoolean,
  isUsedUp: isBoolean,
  shadowedBy: isOrNull(isNumber),
  override: isOrNull(isOverride),
})

const isLoggedHandler = isObjectOf<LoggedHandler>({ id: isNumber, header: isText })

const isErrorText = isObjectOf<ErrorText>({ name: isText, message: isText, stack: isText }, 'stack')

export const isRequest: Shape<LoggedRequest> = isObjectOf<LoggedRequest>(
  {
    id: isText,
    method: isText,
    url: isText,
    name: isOrNull(isText),
    startedAt: isNumber,
    matchedAfter: isOrNull(isNumber),
    duration: isOrNull(isNumber),
    respondedAfter: isOrNull(isNumber),
    outcome: isOneOf('pending', 'mocked', 'network-error', 'passthrough', 'unhandled'),
    status: isOrNull(isNumber),
    statusText: isOrNull(isText),
    error: isOrNull(isText),
    thrown: isOrNull(isErrorText),
    handler: isOrNull(isLoggedHandler),
    forced: isOrNull(isForcedResponse),
    noResponse: isListOf(isLoggedHandler),
    nearest: isListOf(isObjectOf({ id: isNumber, header: isText, difference: isText })),
    suggestion: isOrNull(isText),
    graphqlErrors: isListOf(isText),
    isRecorded: isBoolean,
    partOf: isText,
  },
  'graphqlErrors',
  'isRecorded',
  'partOf',
)

export const isConnection: Shape<LoggedConnection> = isObjectOf<LoggedConnection>({
  id: isText,
  url: isText,
  handlers: isListOf(isText),
  startedAt: isNumber,
  state: isOneOf('connecting', 'open', 'closed'),
  closedAfter: isOrNull(isNumber),
  code: isOrNull(isNumber),
  reason: isOrNull(isText),
  sent: isNumber,
  received: isNumber,
})

const isFrame = isObjectOf<LoggedFrame>(
  {
    id: isNumber,
    direction: isOneOf('sent', 'received'),
    at: isNumber,
    size: isNumber,
    text: isOrNull(isText),
    hex: isText,
  },
  'hex',
)

export const isInfo: Shape<NetworkInfo> = isObjectOf<NetworkInfo>(
  {
    title: isText,
    url: isOrNull(isText),
    notices: isListOf(isText),
    labels: isListOf(isObjectOf<HandlerLabel>({ id: isNumber, layer: isOrNull(isText), group: isOrNull(isText) })),
    isServer: isBoolean,
    preservesLog: isBoolean,
  },
  'isServer',
  'preservesLog',
)

const isBody = isObjectOf<InspectedBody>(
  {
    type: isText,
    size: isNumber,
    isComplete: isBoolean,
    text: isOrNull(isText),
    base64: isOrNull(isText),
    arrivals: isListOf(isObjectOf({ end: isNumber, at: isNumber })),
  },
  'arrivals',
)

export const isDetails: Shape<RequestDetails> = isObjectOf<RequestDetails>({
  headers: isOrNull(isObjectOf({ request: isListOf(isHeader), response: isOrNull(isListOf(isHeader)) })),
  bodies: isObjectOf({ request: isOrNull(isBody), response: isOrNull(isBody) }),
  frames: isListOf(isFrame),
})

export const isSearchResult: Shape<SearchResult> = isObjectOf<SearchResult>({
  id: isText,
  isFinal: isBoolean,
  matches: isListOf(
    isObjectOf<SearchMatch>({
      word: isText,
      place: isOneOf('response body', 'response headers', 'request body', 'request headers', 'messages'),
      before: isText,
      found: isText,
      after: isText,
    }),
  ),
})

import type { Override } from '../core/handlers/override.ts'
import type { ErrorText } from '../core/network/thrown-error.ts'
import type { LoggedConnection, LoggedFrame } from './connection-log.ts'
import type { InspectedState } from './exported-state.ts'
import type { InspectedHandler } from './inspect-handlers.ts'
import type { InspectedScenarios } from './inspect.ts'
import type { InspectedBodies } from './kept-bodies.ts'
import type { InspectedBody } from './kept-body.ts'
import type { RecordingMode } from './recording.ts'
import type { ForcedResponse, InspectedHeaders, LoggedHandler, LoggedRequest } from './request-log.ts'
import type { SearchMatch, SearchResult } from './search-details.ts'
import { isBoolean, isListOf, isNumber, isObjectOf, isOneOf, isOrNull, isText, type Shape } from './shape.ts'

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

/** A command of a panel to one network. */
export type Command =
  | { readonly name: 'setEnabled'; readonly id: number; readonly enabled: boolean }
  | { readonly name: 'override'; readonly id: number; readonly override: Override | null }
  | { readonly name: 'reset' }
  | { readonly name: 'details'; readonly requestId: string }
  | { readonly name: 'search'; readonly ids: readonly string[]; readonly words: readonly string[] }
  | { readonly name: 'scenario'; readonly names: readonly string[] }
  | { readonly name: 'readState'; readonly part: string }
  | { readonly name: 'writeState'; readonly part: string; readonly text: string }
  | { readonly name: 'resetState'; readonly part: string }
  | { readonly name: 'record'; readonly mode: RecordingMode | null }
  | { readonly name: 'clearLog' }
  | { readonly name: 'preserveLog'; readonly isOn: boolean }
  | { readonly name: 'send'; readonly connectionId: string; readonly data: string; readonly event?: string }

/** A message of a panel to all networks or to one. */
export type PanelMessage =
  /** The panel is open. The panel repeats this message while it is open. Networks answer with `state` or `here`. */
  | { readonly type: 'watch'; readonly panel: string; readonly network: string | null; readonly whole: boolean }
  | { readonly type: 'leave'; readonly panel: string }
  | { readonly type: 'command'; readonly network: string; readonly call: string; readonly command: Command }

/** A message of a network to all panels. */
export type NetworkMessage =
  | { readonly type: 'here'; readonly network: string }
  | ({ readonly type: 'state'; readonly network: string } & State)
  | { readonly type: 'gone'; readonly network: string }
  | {
      readonly type: 'answer'
      readonly network: string
      readonly call: string
      readonly error: string | null
      readonly details: RequestDetails | null
      /** The answer to `search`. */
      readonly results?: readonly SearchResult[]
      /** The answer to `readState`: JSON. */
      readonly text?: string
    }

/** A snapshot, or the changes since the previous state. */
export interface State {
  /** Missing if it is the same as in the previous state. */
  readonly info?: NetworkInfo
  /** The revision of the previous state plus 1. */
  readonly revision: number
  /**
   * Whether `requests` has all requests. Otherwise, it has those that are new or changed since the previous revision.
   */
  readonly whole: boolean
  /** Whether `handlers` has all handlers, in their order. Otherwise, it has those that changed since the previous revision. */
  readonly allHandlers: boolean
  readonly handlers: readonly InspectedHandler[]
  readonly requests: readonly LoggedRequest[]
  /** All of them, in every state. */
  readonly connections: readonly LoggedConnection[]
  /** Missing if there are no scenarios. */
  readonly scenarios?: InspectedScenarios
  /** Missing if the handlers module exports no state. */
  readonly state?: readonly InspectedState[]
  /** Missing if no requests are recorded. */
  readonly recording?: RecordingMode
  /** The logs of the tab's earlier pages. Missing: as in the state before. */
  readonly earlier?: readonly EarlierPage[]
}

const isHeader = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => isText(part))

export const isOverride: Shape<Override> = isObjectOf<Override>(
  { status: isNumber, headers: isListOf(isHeader), body: isText, delay: isNumber, networkError: isBoolean },
  'status',
  'headers',
  'body',
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

const isHandler = isObjectOf<InspectedHandler>({
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
  },
  'graphqlErrors',
  'isRecorded',
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

const isFrame = isObjectOf<LoggedFrame>({
  id: isNumber,
  direction: isOneOf('sent', 'received'),
  at: isNumber,
  size: isNumber,
  text: isOrNull(isText),
})

const isInfo = isObjectOf<NetworkInfo>(
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

const isSearchResult = isObjectOf<SearchResult>({
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

type Shapes<Message extends { type: string }> = {
  readonly [Type in Message['type']]: Shape<Omit<Extract<Message, { type: Type }>, 'type'>>
}

type Named<Value extends { name: string }> = {
  readonly [Name in Value['name']]: Shape<Omit<Extract<Value, { name: Name }>, 'name'>>
}

const commands: Named<Command> = {
  setEnabled: isObjectOf({ id: isNumber, enabled: isBoolean }),
  override: isObjectOf({ id: isNumber, override: isOrNull(isOverride) }),
  reset: isObjectOf({}),
  scenario: isObjectOf({ names: isListOf(isText) }),
  readState: isObjectOf({ part: isText }),
  writeState: isObjectOf({ part: isText, text: isText }),
  resetState: isObjectOf({ part: isText }),
  record: isObjectOf({ mode: isOrNull(isRecordingMode) }),
  details: isObjectOf({ requestId: isText }),
  search: isObjectOf({ ids: isListOf(isText), words: isListOf(isText) }),
  clearLog: isObjectOf({}),
  preserveLog: isObjectOf({ isOn: isBoolean }),
  send: isObjectOf<Omit<Extract<Command, { name: 'send' }>, 'name'>>(
    { connectionId: isText, data: isText, event: isText },
    'event',
  ),
}

const isCommand = (value: unknown): value is Command => {
  const { name } = (value ?? {}) as { name?: unknown }
  return isKeyOf(commands, name) && commands[name](value)
}

const panelMessages: Shapes<PanelMessage> = {
  watch: isObjectOf({ panel: isText, network: isOrNull(isText), whole: isBoolean }),
  leave: isObjectOf({ panel: isText }),
  command: isObjectOf({ network: isText, call: isText, command: isCommand }),
}

const networkMessages: Shapes<NetworkMessage> = {
  here: isObjectOf({ network: isText }),
  state: isObjectOf<State & { readonly network: string }>(
    {
      network: isText,
      info: isInfo,
      revision: isNumber,
      whole: isBoolean,
      allHandlers: isBoolean,
      handlers: isListOf(isHandler),
      requests: isListOf(isRequest),
      connections: isListOf(isConnection),
      scenarios: isObjectOf<InspectedScenarios>({ names: isListOf(isText), active: isListOf(isText) }),
      state: isListOf(isObjectOf<InspectedState>({ name: isText, canWrite: isBoolean, canReset: isBoolean })),
      recording: isRecordingMode,
      earlier: isListOf(
        isObjectOf<EarlierPage>({
          url: isText,
          leftAt: isNumber,
          requests: isListOf(isRequest),
          connections: isListOf(isConnection),
        }),
      ),
    },
    'info',
    'scenarios',
    'state',
    'recording',
    'earlier',
  ),
  gone: isObjectOf({ network: isText }),
  answer: isObjectOf<Omit<Extract<NetworkMessage, { type: 'answer' }>, 'type'>>(
    {
      network: isText,
      call: isText,
      error: isOrNull(isText),
      details: isOrNull(isDetails),
      results: isListOf(isSearchResult),
      text: isText,
    },
    'results',
    'text',
  ),
}

/** Wraps a panel's message for sending. */
export function sealPanelMessage(message: PanelMessage): object {
  return { ...message, understudy: 'panel' }
}

/** Wraps a network's message for sending. */
export function sealNetworkMessage(message: NetworkMessage): object {
  return { ...message, understudy: 'network' }
}

/** @returns `undefined` for other messages */
export function readPanelMessage(data: unknown): PanelMessage | undefined {
  return read<PanelMessage>(data, 'panel', panelMessages)
}

/** @returns `undefined` for other messages */
export function readNetworkMessage(data: unknown): NetworkMessage | undefined {
  return read<NetworkMessage>(data, 'network', networkMessages)
}

function read<Message extends { type: string }>(
  data: unknown,
  sender: string,
  shapes: Shapes<Message>,
): Message | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { understudy, type } = data as { understudy?: unknown; type?: unknown }
  if (understudy !== sender || !isKeyOf(shapes, type)) return undefined
  const shape: Shape<unknown> = shapes[type]
  return shape(data) ? (data as Message) : undefined
}

/** Names in messages are untrusted and must not reach inherited members. */
function isKeyOf<Value extends object>(value: Value, key: unknown): key is keyof Value {
  return typeof key === 'string' && Object.hasOwn(value, key)
}

import type { Override } from '../core/handlers/override.ts'
import type { LoggedConnection } from './connection-log.ts'
import type { InspectedState } from './exported-state.ts'
import type { InspectedHandler } from './inspect-handlers.ts'
import type { InspectedScenarios } from './inspect.ts'
import type { RecordingMode } from './recording.ts'
import type { LoggedRequest } from './request-log.ts'
import type { SearchResult } from './search-details.ts'
import { isBoolean, isListOf, isNumber, isObjectOf, isOrNull, isText, type Shape } from './shape.ts'
import {
  isConnection,
  isDetails,
  isHandler,
  isInfo,
  isOverride,
  isRecordingMode,
  isRequest,
  isSearchResult,
  type EarlierPage,
  type NetworkInfo,
  type RequestDetails,
} from './shared-data.ts'

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

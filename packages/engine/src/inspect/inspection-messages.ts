import type { Override } from '../core/handlers/override.ts'
import type { InspectedHandler } from './inspect.ts'
import type { InspectedBodies, InspectedBody } from './kept-bodies.ts'
import type { InspectedHeaders, LoggedRequest } from './request-log.ts'
import { isBoolean, isListOf, isNumber, isObjectOf, isOneOf, isOrNull, isText, type Shape } from './shape.ts'

/** What a handler belongs to, in the words of whoever shares it. */
export interface HandlerLabel {
  /** See `InspectedHandler.id`. */
  readonly id: number
  /** In place of the layer's name: `'story'`, `'component'`, `'project'`. `null`: as it is. */
  readonly layer: string | null
  /** The name of its group, where it has one. */
  readonly group: string | null
}

/** What is known of a shared network besides its snapshot. */
export interface NetworkInfo {
  /** How people tell it from others: a page's title. */
  readonly title: string
  /** The page's address; `null` where it has none. */
  readonly url: string | null
  /** What a panel says above all else, in whole sentences: `'Mocking is off.'` */
  readonly notices: readonly string[]
  readonly labels: readonly HandlerLabel[]
  /** Whether it is no page's, but that of a server which renders pages. Default: `false`. */
  readonly isServer?: boolean
}

/** All that is known of one request. */
export interface RequestDetails {
  readonly headers: InspectedHeaders | null
  readonly bodies: InspectedBodies
}

/** What a panel asks of one network. */
export type Command =
  | { readonly name: 'setEnabled'; readonly id: number; readonly enabled: boolean }
  | { readonly name: 'override'; readonly id: number; readonly override: Override | null }
  | { readonly name: 'reset' }
  | { readonly name: 'details'; readonly requestId: string }

/** Of a panel, to all networks or to one. */
export type PanelMessage =
  /** The panel is there, and goes on being there: said again and again. Networks answer `state` or `here`. */
  | { readonly type: 'watch'; readonly panel: string; readonly network: string | null; readonly whole: boolean }
  | { readonly type: 'leave'; readonly panel: string }
  | { readonly type: 'command'; readonly network: string; readonly call: string; readonly command: Command }

/** Of a network, to all panels. */
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
    }

/** A snapshot, or what is new since the one before. */
export interface State {
  readonly info: NetworkInfo
  /** One more than that of the state before. */
  readonly revision: number
  /** Whether `requests` are all; else those that are new, or changed, since the revision before. */
  readonly whole: boolean
  readonly handlers: readonly InspectedHandler[]
  readonly requests: readonly LoggedRequest[]
}

export const isOverride: Shape<Override> = isObjectOf<Override>(
  { status: isNumber, delay: isNumber, networkError: isBoolean },
  'status',
  'delay',
  'networkError',
)

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

const isRequest = isObjectOf<LoggedRequest>({
  id: isText,
  method: isText,
  url: isText,
  name: isOrNull(isText),
  startedAt: isNumber,
  duration: isNumber,
  outcome: isOneOf('mocked', 'network-error', 'passthrough', 'unhandled'),
  status: isOrNull(isNumber),
  statusText: isOrNull(isText),
  error: isOrNull(isText),
  handler: isOrNull(isObjectOf({ id: isNumber, header: isText })),
  nearest: isListOf(isObjectOf({ id: isNumber, header: isText, difference: isText })),
  suggestion: isOrNull(isText),
})

const isInfo = isObjectOf<NetworkInfo>(
  {
    title: isText,
    url: isOrNull(isText),
    notices: isListOf(isText),
    labels: isListOf(isObjectOf<HandlerLabel>({ id: isNumber, layer: isOrNull(isText), group: isOrNull(isText) })),
    isServer: isBoolean,
  },
  'isServer',
)

const isBody = isObjectOf<InspectedBody>({
  type: isText,
  size: isNumber,
  isComplete: isBoolean,
  text: isOrNull(isText),
  base64: isOrNull(isText),
})

const isHeader = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => isText(part))

const isDetails = isObjectOf<RequestDetails>({
  headers: isOrNull(isObjectOf({ request: isListOf(isHeader), response: isOrNull(isListOf(isHeader)) })),
  bodies: isObjectOf({ request: isOrNull(isBody), response: isOrNull(isBody) }),
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
  details: isObjectOf({ requestId: isText }),
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
  state: isObjectOf({
    network: isText,
    info: isInfo,
    revision: isNumber,
    whole: isBoolean,
    handlers: isListOf(isHandler),
    requests: isListOf(isRequest),
  }),
  gone: isObjectOf({ network: isText }),
  answer: isObjectOf({ network: isText, call: isText, error: isOrNull(isText), details: isOrNull(isDetails) }),
}

/** A panel's message as it goes over the wire. */
export function sealPanelMessage(message: PanelMessage): object {
  return { ...message, understudy: 'panel' }
}

/** A network's message as it goes over the wire. */
export function sealNetworkMessage(message: NetworkMessage): object {
  return { ...message, understudy: 'network' }
}

/** @returns nothing for whatever else goes over the wire */
export function readPanelMessage(data: unknown): PanelMessage | undefined {
  return read<PanelMessage>(data, 'panel', panelMessages)
}

/** @returns nothing for whatever else goes over the wire */
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

/** Names from elsewhere must not reach what objects inherit. */
function isKeyOf<Value extends object>(value: Value, key: unknown): key is keyof Value {
  return typeof key === 'string' && Object.hasOwn(value, key)
}

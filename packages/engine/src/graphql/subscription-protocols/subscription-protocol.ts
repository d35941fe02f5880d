/** The differences between the protocols for operations over a WebSocket. */
export interface SubscriptionProtocol {
  /** The WebSocket subprotocol. */
  readonly name: string
  /** The type of the message with which the client starts an operation. */
  readonly start: string
  /** The type of the message with which the client stops an operation. */
  readonly stop: string
  /** The type of the message that carries a result. */
  readonly next: string
  /** Whether a client that violates the protocol is disconnected. Otherwise it gets an error. */
  readonly isStrict: boolean
  /** The messages that the server sends after it has acknowledged a connection. */
  readonly greeting: readonly object[]
  /** Returns the payload of a message that ends an operation with errors. */
  toErrorPayload(errors: readonly unknown[]): unknown
}

/** @see https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md */
export const graphqlTransportWs: SubscriptionProtocol = {
  name: 'graphql-transport-ws',
  start: 'subscribe',
  stop: 'complete',
  next: 'next',
  isStrict: true,
  greeting: [],
  toErrorPayload: (errors) => errors,
}

/**
 * The older protocol, of the package `subscriptions-transport-ws`.
 *
 * @see https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md
 */
export const subscriptionsTransportWs: SubscriptionProtocol = {
  name: 'graphql-ws',
  start: 'start',
  stop: 'stop',
  next: 'data',
  isStrict: false,
  greeting: [{ type: 'ka' }],
  toErrorPayload: ([first, ...others]) => (others.length === 0 ? first : [first, ...others]),
}

const protocols = [graphqlTransportWs, subscriptionsTransportWs]

/** Selects one of the protocols that a client offers. Returns `undefined` if it offers no GraphQL protocol. */
export function chooseSubscriptionProtocol(offered: readonly string[]): SubscriptionProtocol | undefined {
  return protocols.find(({ name }) => offered.includes(name))
}

/** A message of the client or the server. */
export interface ProtocolMessage {
  readonly type: string
  readonly id?: string
  readonly payload?: unknown
}

/** Parses a message. Returns `undefined` if the text is not a message. */
export function parseMessage(data: unknown): ProtocolMessage | undefined {
  if (typeof data !== 'string') return undefined
  try {
    const message = JSON.parse(data) as Partial<Record<keyof ProtocolMessage, unknown>> | null
    const isMessage = typeof message?.type === 'string' && (message.id === undefined || typeof message.id === 'string')
    return isMessage ? (message as ProtocolMessage) : undefined
  } catch {
    return undefined
  }
}

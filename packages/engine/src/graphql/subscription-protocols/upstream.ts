import type { ResultFrame } from '../response/result-format.ts'
import type { SessionOperation } from './server-session.ts'
import { parseMessage, type ProtocolMessage, type SubscriptionProtocol } from './subscription-protocol.ts'

/** The functions that an upstream needs of the connection to the real server. */
export interface UpstreamPeer {
  /** Connects, unless there is a connection. */
  connect(): void
  send(message: string): void
  /** Returns the payload of the client's connection message. */
  connectionParams(): unknown
}

/** Receives the server's messages about one operation. */
type Receiver = (message: ProtocolMessage | Error) => void

/**
 * The client's side of a protocol for operations over a WebSocket. It sends the operations that no handler answers to
 * the real server, and connects with the first one. It handles messages only, and does not depend on WebSockets.
 */
export class Upstream {
  readonly #protocol: SubscriptionProtocol
  readonly #peer: UpstreamPeer
  #session: PromiseWithResolvers<void> | undefined
  readonly #receivers = new Map<string, Receiver>()

  constructor(protocol: SubscriptionProtocol, peer: UpstreamPeer) {
    this.#protocol = protocol
    this.#peer = peer
  }

  /** Call this when the connection is open. */
  opened(): void {
    this.#send({ type: 'connection_init', payload: this.#peer.connectionParams() })
  }

  /** Call this when the connection has ended or has failed. */
  closed(reason: string): void {
    const error = new Error(reason)
    this.#session?.reject(error)
    this.#session = undefined
    for (const receive of this.#receivers.values()) receive(error)
  }

  /** Handles a message of the server. */
  receive(data: unknown): void {
    const message = parseMessage(data)
    if (!message) return
    if (message.type === 'connection_ack') this.#session?.resolve()
    else if (message.type === 'ping') this.#send({ type: 'pong' })
    else if (message.id !== undefined) this.#receivers.get(message.id)?.(message)
  }

  /** Sends an operation to the server, and iterates over its results. */
  async *perform({ id, body }: SessionOperation, signal: AbortSignal): AsyncGenerator<ResultFrame, void, undefined> {
    await this.#connect()
    if (signal.aborted) return
    const received: (ProtocolMessage | Error)[] = []
    let wake = Promise.withResolvers<void>()
    this.#receivers.set(id, (message) => {
      received.push(message)
      wake.resolve()
    })
    const wakeUp = (): void => wake.resolve()
    signal.addEventListener('abort', wakeUp, { once: true })
    let isOver = false
    try {
      this.#send({ id, type: this.#protocol.start, payload: body })
      while (!signal.aborted) {
        for (const message of received.splice(0)) {
          const frame = this.#toFrame(message)
          isOver = frame !== undefined && frame.type !== 'next'
          if (frame) yield frame
          if (isOver) return
        }
        await wake.promise
        wake = Promise.withResolvers()
      }
    } finally {
      signal.removeEventListener('abort', wakeUp)
      this.#receivers.delete(id)
      if (!isOver) this.#send({ id, type: this.#protocol.stop })
    }
  }

  #toFrame(message: ProtocolMessage | Error): ResultFrame | undefined {
    if (message instanceof Error) return { type: 'error', payload: [{ message: message.message }] }
    const { type, payload } = message
    if (type === this.#protocol.next) return { type: 'next', payload }
    if (type === 'error') return { type: 'error', payload: Array.isArray(payload) ? payload : [payload] }
    return type === 'complete' ? { type: 'complete' } : undefined
  }

  #connect(): Promise<void> {
    if (!this.#session) {
      this.#session = Promise.withResolvers()
      // The code that awaits the promise gets the error.
      this.#session.promise.catch(() => {})
      this.#peer.connect()
    }
    return this.#session.promise
  }

  #send(message: object): void {
    this.#peer.send(JSON.stringify(message))
  }
}

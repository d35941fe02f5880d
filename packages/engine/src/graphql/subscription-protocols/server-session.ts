import { createAbortController } from '../../core/abort-controller.ts'
import { toError } from '../../core/network/thrown-error.ts'
import type { ResultFrame } from '../response/result-format.ts'
import { parseMessage, type ProtocolMessage, type SubscriptionProtocol } from './subscription-protocol.ts'

/** The functions that a session needs: of its connection, and of the code that answers operations. */
export interface SessionPeer {
  /** Sends a message to the client. */
  send(message: string): void
  close(code: number, reason: string): void
  /** Answers an operation, until the client aborts the signal. */
  perform(operation: SessionOperation, signal: AbortSignal): AsyncIterable<ResultFrame>
}

/** An operation that a client starts. */
export interface SessionOperation {
  readonly id: string
  /** `query`, `variables`, `operationName`, `extensions`: the body of a GraphQL request. */
  readonly body: object
}

/**
 * The server's side of a protocol for operations over a WebSocket. It handles messages only, and does not depend on
 * WebSockets.
 */
export class ServerSession {
  /** The payload of the client's connection message. */
  connectionParams: unknown
  readonly #protocol: SubscriptionProtocol
  readonly #peer: SessionPeer
  #isInitialised = false
  readonly #operations = new Map<string, AbortController>()

  constructor(protocol: SubscriptionProtocol, peer: SessionPeer) {
    this.#protocol = protocol
    this.#peer = peer
  }

  /** Handles a message of the client. */
  receive(data: unknown): void {
    const message = parseMessage(data)
    if (!message) {
      this.#refuse(4400, 'Invalid message received', undefined)
      return
    }
    const { start, stop } = this.#protocol
    switch (message.type) {
      case 'connection_init':
        this.#initialise(message.payload)
        return
      case 'ping':
        this.#send({ type: 'pong', ...(message.payload !== undefined && { payload: message.payload }) })
        return
      case 'pong':
        return
      case 'connection_terminate':
        this.#peer.close(1000, '')
        return
      case start:
        this.#start(message)
        return
      case stop:
        this.#stop(message.id)
        return
      default:
        this.#refuse(4400, `Invalid message type "${message.type}"`, message.id)
    }
  }

  /** The connection has ended, so no client reads further results. */
  end(): void {
    for (const id of this.#operations.keys()) this.#stop(id)
  }

  #initialise(payload: unknown): void {
    if (this.#isInitialised && this.#protocol.isStrict) {
      this.#peer.close(4429, 'Too many initialisation requests')
      return
    }
    this.#isInitialised = true
    this.connectionParams = payload
    this.#send({ type: 'connection_ack' })
    for (const message of this.#protocol.greeting) this.#send(message)
  }

  #start({ id, payload }: ProtocolMessage): void {
    if (id === undefined || typeof payload !== 'object' || payload === null) {
      this.#refuse(4400, 'Invalid message received', id)
    } else if (!this.#isInitialised && this.#protocol.isStrict) {
      this.#peer.close(4401, 'Unauthorized')
    } else if (this.#operations.has(id) && this.#protocol.isStrict) {
      this.#peer.close(4409, `Subscriber for ${id} already exists`)
    } else {
      // In the older protocol, a new operation replaces one with the same id.
      this.#stop(id)
      void this.#carry({ id, body: payload })
    }
  }

  async #carry(operation: SessionOperation): Promise<void> {
    const { id } = operation
    const protocol = this.#protocol
    const controller = createAbortController()
    this.#operations.set(id, controller)
    const isWanted = (): boolean => this.#operations.get(id) === controller
    let last: object = { id, type: 'complete' }
    try {
      for await (const frame of this.#peer.perform(operation, controller.signal)) {
        if (!isWanted()) return
        if (frame.type === 'next') this.#send({ id, type: protocol.next, payload: frame.payload })
        else if (frame.type === 'error') last = { id, type: 'error', payload: protocol.toErrorPayload(frame.payload) }
      }
    } catch (error) {
      const message = toError(error).message
      last = { id, type: 'error', payload: protocol.toErrorPayload([{ message }]) }
    }
    if (!isWanted()) return
    this.#operations.delete(id)
    this.#send(last)
  }

  #stop(id: string | undefined): void {
    if (id === undefined) return
    this.#operations.get(id)?.abort()
    this.#operations.delete(id)
  }

  #refuse(code: number, reason: string, id: string | undefined): void {
    if (this.#protocol.isStrict) this.#peer.close(code, reason)
    else this.#send({ type: 'error', ...(id !== undefined && { id }), payload: { message: reason } })
  }

  #send(message: object): void {
    this.#peer.send(JSON.stringify(message))
  }
}

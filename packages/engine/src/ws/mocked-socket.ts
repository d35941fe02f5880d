import { EventHandlers } from '../core/event-handlers.ts'
import { isPromise } from '../core/is-promise.ts'
import { abnormal, checkClientClose, normal } from './close-code.ts'
import { createCloseEvent } from './connection-event.ts'
import { sizeOf, toReceived, toSentData, type WebSocketData } from './message-data.ts'
import { queueTask } from './queue-task.ts'
import { Queue } from './queue.ts'

const connecting = 0
const open = 1
const closing = 2
const closed = 3

/** Receives what the app does with the socket. */
export interface MockedSocketPeer {
  /** The connection is open. Called before the app's `open` event. */
  onOpen(): void
  /** The app sent a message. */
  onMessage(data: WebSocketData): void
  /** The connection has ended, from either side. Called before the app gets its event. */
  onClose(code: number, reason: string, wasClean: boolean): void
  /** Returns the number of bytes that wait to be sent to the real server. */
  bufferedAmount(): number
}

/** How the other side ends the connection. */
export interface PeerClose {
  code: number
  reason: string
  wasClean: boolean
  /** Whether the app gets an `error` event first. */
  tellsError: boolean
}

type Job = () => void | Promise<void>

/**
 * The app's end of a mocked connection. It has the members of the platform's interface, which the app's object uses,
 * and the methods that control the connection.
 *
 * @see https://websockets.spec.whatwg.org/#the-websocket-interface
 */
export class MockedSocket {
  readonly url: string
  protocol = ''
  extensions = ''
  readyState: number = connecting
  /** The number of bytes that no handler has received yet. */
  #queued = 0
  #binaryType: BinaryType = 'blob'
  readonly #target: EventTarget
  readonly #peer: MockedSocketPeer
  readonly #handlers: EventHandlers
  /** The messages for the app. Each waits for the previous ones, because reading the bytes of a Blob takes time. */
  readonly #incoming = new Queue<Job>()
  #isDelivering = false
  #isAccepted = false
  #isEnded = false
  /** The messages that were sent before the connection was accepted. */
  #early: Job[] = []

  /**
   * @param target the app's object, on which events are dispatched
   * @param url absolute
   */
  constructor(target: EventTarget, url: string, peer: MockedSocketPeer) {
    this.#target = target
    this.#handlers = new EventHandlers(target)
    this.url = url
    this.#peer = peer
  }

  /** Include the bytes that wait for the real server: an app may wait until this value falls before it sends more. */
  get bufferedAmount(): number {
    return this.#queued + this.#peer.bufferedAmount()
  }

  get binaryType(): BinaryType {
    return this.#binaryType
  }

  set binaryType(type: BinaryType) {
    // The platform ignores all else.
    if (type === 'blob' || type === 'arraybuffer') this.#binaryType = type
  }

  get onopen(): unknown {
    return this.#handlers.get('open')
  }

  set onopen(handler: unknown) {
    this.#handlers.set('open', handler)
  }

  get onmessage(): unknown {
    return this.#handlers.get('message')
  }

  set onmessage(handler: unknown) {
    this.#handlers.set('message', handler)
  }

  get onerror(): unknown {
    return this.#handlers.get('error')
  }

  set onerror(handler: unknown) {
    this.#handlers.set('error', handler)
  }

  get onclose(): unknown {
    return this.#handlers.get('close')
  }

  set onclose(handler: unknown) {
    this.#handlers.set('close', handler)
  }

  send(value: unknown): void {
    if (arguments.length === 0) {
      throw new TypeError("Failed to execute 'send' on 'WebSocket': 1 argument required, but only 0 present.")
    }
    if (this.readyState === connecting) {
      throw new DOMException('Still in CONNECTING state.', 'InvalidStateError')
    }
    const data = toSentData(value)
    const size = sizeOf(data)
    // Data that is sent after the close is never transmitted, and stays in this count.
    this.#queued += size
    if (this.readyState !== open) return
    queueTask(() => {
      this.#queued -= size
      if (this.readyState !== closed) this.#peer.onMessage(data)
    })
  }

  close(code?: number, reason?: string): void {
    const clamped = code === undefined ? undefined : toUnsignedShort(code)
    const text = reason === undefined ? undefined : String(reason).toWellFormed()
    checkClientClose(clamped, text)
    if (this.readyState === closing || this.readyState === closed) return
    const isEarly = this.readyState === connecting
    this.readyState = closing
    queueTask(() => {
      if (isEarly) this.#end(abnormal, '', false, true)
      // A real server answers without a code, which is 1005. Tests written for MSW expect 1000.
      else this.#end(clamped ?? normal, text ?? '', true, false)
    })
  }

  get isOpen(): boolean {
    return this.readyState === open
  }

  /** Whether the connection has ended, or ends when the earlier messages have arrived. */
  get isEnding(): boolean {
    return this.#isEnded || this.readyState === closing || this.readyState === closed
  }

  /**
   * Completes the handshake.
   *
   * @param first the messages that arrive before all others
   */
  accept(protocol: string, extensions = '', first: readonly WebSocketData[] = []): void {
    if (this.#isAccepted) return
    this.#isAccepted = true
    this.#deliver(() => {
      if (this.readyState !== connecting) return
      this.protocol = protocol
      this.extensions = extensions
      this.readyState = open
      this.#peer.onOpen()
      this.#dispatch(new Event('open'))
    })
    for (const data of first) this.#deliver(() => this.#receiveNow(data))
    for (const job of this.#early) this.#deliver(job)
    this.#early = []
  }

  /** Sends a message to the app. It arrives once the connection is open. */
  receive(data: WebSocketData): void {
    if (this.#isEnded) return
    this.#whenAccepted(() => this.#receiveNow(data))
  }

  /** Closes the connection from the other side, after the earlier messages. */
  closeByPeer({ code, reason, wasClean, tellsError }: PeerClose): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#whenAccepted(() => this.#end(code, reason, wasClean, tellsError))
  }

  /** Ends a connection that was not accepted yet. The app gets no `open` event. */
  refuse({ code, reason, wasClean, tellsError }: PeerClose): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#early = []
    this.#deliver(() => this.#end(code, reason, wasClean, tellsError))
  }

  /** Dispatches an error on the app's object. */
  fail(): void {
    this.#deliver(() => {
      if (this.readyState !== closed) this.#dispatch(new Event('error'))
    })
  }

  #receiveNow(data: WebSocketData): void | Promise<void> {
    if (this.readyState !== open) return undefined
    const received = toReceived(data, this.#binaryType)
    if (isPromise(received)) return received.then((bytes) => this.#dispatchMessage(bytes))
    return this.#dispatchMessage(received)
  }

  #dispatchMessage(data: unknown): void {
    // The app may have closed the connection while the bytes were read.
    if (this.readyState === open) {
      this.#dispatch(new MessageEvent('message', { data, origin: new URL(this.url).origin }))
    }
  }

  #whenAccepted(job: Job): void {
    if (this.#isAccepted) this.#deliver(job)
    else this.#early.push(job)
  }

  #deliver(job: Job): void {
    this.#incoming.push(job)
    if (!this.#isDelivering) this.#deliverNext()
  }

  #deliverNext(): void {
    this.#isDelivering = true
    queueTask(() => {
      const result = this.#incoming.take()?.()
      const goOn = (): void => {
        if (this.#incoming.length > 0) this.#deliverNext()
        else this.#isDelivering = false
      }
      if (result) void result.then(goOn, goOn)
      else goOn()
    })
  }

  #end(code: number, reason: string, wasClean: boolean, tellsError: boolean): void {
    if (this.readyState === closed) return
    this.#isEnded = true
    this.readyState = closed
    this.#peer.onClose(code, reason, wasClean)
    if (tellsError) this.#dispatch(new Event('error'))
    this.#dispatch(createCloseEvent({ code, reason, wasClean }))
  }

  #dispatch(event: Event): void {
    this.#target.dispatchEvent(event)
  }
}

/** Converts a value into Web IDL's `[Clamp] unsigned short`. */
function toUnsignedShort(value: unknown): number {
  const number = Number(value)
  return Number.isNaN(number) ? 0 : Math.round(Math.min(Math.max(number, 0), 65535))
}

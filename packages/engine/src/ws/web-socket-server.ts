import { failure } from '../core/failure.ts'
import { checkServerClose } from './close-code.ts'
import { ConnectionEnd } from './connection-end.ts'
import { createCloseEvent, type WebSocketCloseEvent } from './connection-event.ts'
import { checkData, sizeOf, type WebSocketData } from './message-data.ts'

/** The events of the connection to the real server. */
export interface WebSocketServerEvents<Message> {
  open: Event
  /** The server sent a message. `preventDefault()` prevents that the app gets it. */
  message: MessageEvent<Message>
  /** The connection failed. `preventDefault()` prevents that the app gets the error. */
  error: Event
  /** The connection has ended. `preventDefault()` keeps the app connected. */
  close: WebSocketCloseEvent
}

/** The functions that the server object needs of its connection. */
export interface WebSocketServerDuties {
  create(): WebSocket
  /** Creates a `WebSocket` that is closed. */
  createClosed(): WebSocket
  /** Returns whether the app's connection has ended, or is about to end. */
  isEnding(): boolean
  encode(message: unknown): Iterable<unknown>
  receive(data: WebSocketData, origin: string): void
  onOpen(real: WebSocket): void
  onError(isPrevented: boolean): void
  onClose(event: WebSocketCloseEvent, isPrevented: boolean): void
}

const connecting = 0
const open = 1

/** The real server of a mocked connection. There is no connection to it until a handler calls `connect()`. */
export class WebSocketServer<Incoming = WebSocketData, Outgoing = WebSocketData> extends ConnectionEnd<
  WebSocketServerEvents<Incoming>
> {
  readonly url: URL
  readonly #duties: WebSocketServerDuties
  #real: WebSocket | undefined
  /** Whether a handler closed the connection: ignore later events of the connection. */
  #isReleased = false
  /** Whether the connection failed, or was closed. */
  #isOver = false
  /** The number of bytes that wait until the connection is open. */
  #early = 0

  constructor(url: URL, duties: WebSocketServerDuties) {
    super()
    this.url = url
    this.#duties = duties
  }

  /**
   * The connection to the server.
   *
   * @throws {UnderstudyError} if there is no connection to a server
   */
  get socket(): WebSocket {
    return this.#connected('use the socket of')
  }

  /** The `readyState` of the connection's `WebSocket`; 3 (closed) without a connection. */
  get readyState(): number {
    return this.#isOver ? 3 : (this.#real?.readyState ?? 3)
  }

  /**
   * Connects to the real server. From then on, messages are forwarded in both directions, unless a listener calls
   * `preventDefault()`.
   * If the app's connection is not open yet, it opens when this one does. Does nothing if the app's connection has ended.
   *
   * @throws {UnderstudyError} if there is already a connection
   */
  connect(): void {
    if (this.readyState === connecting || this.readyState === open) {
      throw failure(
        'US0608',
        `connect to the server ${this.url.href}`,
        'there is a connection already',
        'Call server.connect() once.',
      )
    }
    if (this.#duties.isEnding()) {
      this.#real ??= this.#duties.createClosed()
      return
    }
    const real = this.#duties.create()
    this.#real = real
    this.#isReleased = false
    this.#isOver = false
    const isCurrent = (): boolean => this.#real === real && !this.#isReleased
    real.addEventListener('open', () => {
      if (!isCurrent()) return
      this['~dispatch'](new Event('open'))
      this.#duties.onOpen(real)
    })
    real.addEventListener('message', ({ data, origin }: MessageEvent<WebSocketData>) => {
      if (isCurrent()) this.#duties.receive(data, origin)
    })
    const end = ({ code, reason, wasClean }: Pick<CloseEvent, 'code' | 'reason' | 'wasClean'>): void => {
      if (!isCurrent() || this.#isOver) return
      this.#isOver = true
      const event = createCloseEvent({ code, reason, wasClean, cancelable: true })
      const goesOn = this['~dispatch'](event)
      this.#duties.onClose(event, !goesOn)
    }
    real.addEventListener('error', () => {
      if (!isCurrent()) return
      const goesOn = this['~dispatch'](new Event('error', { cancelable: true }))
      this.#duties.onError(!goesOn)
      // The WebSocket of Node 22 stays "connecting" and fires no `close` event when it cannot connect.
      // https://websockets.spec.whatwg.org/#feedback-from-the-protocol
      if (real.readyState === connecting) end({ code: 1006, reason: '', wasClean: false })
    })
    real.addEventListener('close', end)
  }

  /**
   * Sends a message to the server, as soon as the connection is open.
   *
   * @throws {UnderstudyError} if there is no connection, or if a WebSocket cannot send the data
   */
  send(message: Outgoing): void {
    this.#connected('send to')
    for (const frame of this.#duties.encode(message)) {
      this['~forward'](checkData(`send to the server ${this.url.href}`, frame))
    }
  }

  /**
   * Closes the connection to the server. The app stays connected.
   *
   * @param code 1000 (default), or 3000 to 4999
   * @throws {UnderstudyError} if there is no connection, or if the code or the reason is invalid
   */
  close(code = 1000, reason = ''): void {
    const real = this.#connected('close the connection to')
    checkServerClose(code, reason, `close the connection to the server ${this.url.href}`)
    if (this.readyState > open) return
    real.close(code, reason)
    this.#isReleased = true
    const event = createCloseEvent({ code, reason, wasClean: true, cancelable: true })
    this.#duties.onClose(event, true)
    // A test library may replace `queueMicrotask` with one that waits for its clock.
    void Promise.resolve().then(() => this['~dispatch'](event))
  }

  /** Whether the app's messages are forwarded to the server. */
  get '~isConnected'(): boolean {
    return this.#real !== undefined && !this.#isReleased
  }

  /** Whether there ever was a connection. If so, extensions no longer send frames in the server's name. */
  get '~wasConnected'(): boolean {
    return this.#real !== undefined
  }

  /** The number of bytes that wait until the connection is open, or for the network. */
  get '~bufferedAmount'(): number {
    return this.#early + (this.#real?.bufferedAmount ?? 0)
  }

  /** Sends data without encoding it by an extension. */
  '~forward'(data: WebSocketData): void {
    const real = this.#real
    if (real?.readyState === connecting) {
      const size = sizeOf(data)
      this.#early += size
      const send = (): void => {
        real.removeEventListener('open', send)
        real.removeEventListener('error', send)
        this.#early -= size
        if (real.readyState === open) real.send(data)
      }
      real.addEventListener('open', send)
      real.addEventListener('error', send)
    } else if (real?.readyState === open) real.send(data)
  }

  /** Ends the connection because the app's connection has ended. */
  '~endWith'(code: number, reason: string): void {
    if (!this.#real || this.readyState > open) return
    if (code === 1000 || code >= 3000) this.#real.close(code, reason)
    else this.#real.close()
  }

  protected override get '~socket'(): WebSocket | undefined {
    return this.#real
  }

  #connected(action: string): WebSocket {
    if (this.#real) return this.#real
    throw failure(
      'US0609',
      `${action} the server ${this.url.href}`,
      'there is no connection to it',
      'Call server.connect() first.',
    )
  }
}

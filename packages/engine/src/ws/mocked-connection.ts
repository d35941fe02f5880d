import { createCloseEvent } from './connection-event.ts'
import type { WebSocketConnectionInfo } from './connection-info.ts'
import { valuesOf, type AnyExtension } from './extension.ts'
import { checkData, type WebSocketData } from './message-data.ts'
import { MockedSocket, type PeerClose } from './mocked-socket.ts'
import { WebSocketClient } from './web-socket-client.ts'
import { WebSocketServer } from './web-socket-server.ts'

/** The parts of a connection. */
export interface MockedConnectionParts {
  id: string
  url: URL
  /** The app's object. */
  socket: WebSocket
  info: WebSocketConnectionInfo
  /** The subprotocol of the app's connection, if no real server chooses one. */
  protocol: string
  /** Connects to the real server. */
  create: () => WebSocket
  /** Creates a `WebSocket` that is closed. */
  createClosed: () => WebSocket
}

/** A connection of the app, with the two ends for handlers and the messages between them. */
export class MockedConnection {
  /** The object that acts for the app's WebSocket. */
  readonly app: MockedSocket
  readonly client: WebSocketClient<unknown, unknown>
  readonly server: WebSocketServer<unknown, unknown>
  readonly info: WebSocketConnectionInfo
  readonly memo: Map<symbol, unknown> = new Map()
  readonly #protocol: string
  #extension: AnyExtension | undefined
  #report: (error: unknown) => void = () => {}
  /**
   * Calls of handlers on the app's end while they handle a message of the real server. They run after the app has
   * received that message.
   */
  #deferred: (() => void)[] | undefined

  constructor({ id, url, socket, info, protocol, create, createClosed }: MockedConnectionParts) {
    this.info = info
    this.#protocol = protocol
    this.app = new MockedSocket(socket, url.href, {
      onOpen: () => void this.client['~dispatch'](new Event('open')),
      onMessage: (data) => this.#onMessage(data),
      onClose: (code, reason, wasClean) => {
        this.client['~ended'].call()
        this.client['~dispatch'](createCloseEvent({ code, reason, wasClean }))
        this.server['~endWith'](code, reason)
      },
      bufferedAmount: () => this.server['~bufferedAmount'],
    })
    this.client = new WebSocketClient(id, url, socket, {
      encode: (message) => this.#encode(message, this.client),
      send: (data) => this.#afterMessage(() => this.app.receive(data)),
      close: (close) => this.#afterMessage(() => this.#close(close)),
    })
    this.server = new WebSocketServer(url, {
      create: () => {
        const real = create()
        real.binaryType = this.app.binaryType
        return real
      },
      createClosed,
      isEnding: () => this.app.isEnding,
      encode: (message) => this.#encode(message, this.server),
      receive: (data, origin) => this.#onServerMessage(data, origin),
      onOpen: (real) => this.app.accept(real.protocol, real.extensions),
      onError: (isPrevented) => {
        if (!isPrevented) this.app.fail()
      },
      onClose: ({ code, reason, wasClean }, isPrevented) => {
        if (isPrevented) this.app.accept(this.#protocol)
        else this.app.refuse({ code, reason, wasClean, tellsError: false })
      },
    })
  }

  /** Starts a handler with its listeners and extensions. */
  beginHandler(extensions: readonly AnyExtension[], report: (error: unknown) => void): void {
    this.client['~beginHandler'](['open', 'message', 'close'], report)
    this.server['~beginHandler'](['open', 'message', 'error', 'close'], report)
    this.#report = report
    const last = extensions.at(-1)
    if (last) this.#extension = last
  }

  /** Opens the connection. If a handler connects to the real server, it opens together with that connection. */
  accept(): void {
    if (this.server.readyState === 0 && !this.app.isEnding) return
    this.app.accept(
      this.#protocol,
      '',
      this.#framesOf(() => this.#extension?.connect?.(this.context())),
    )
  }

  /** Creates the argument of extensions. */
  context(end?: unknown): never {
    const { client, server, info } = this
    return { client, server, info, ...(end !== undefined && { connection: end }) } as never
  }

  /** Handles a frame of the app. */
  #onMessage(data: WebSocketData): void {
    // If a handler connects to the server while it handles this message, do not forward this message.
    const isForwarded = this.server['~isConnected']
    for (const frame of this.#framesOf(() => this.#extension?.receive?.(data, this.context()))) this.app.receive(frame)
    const goesOn = this.#dispatchMessages(this.client, data, this.client.url.origin)
    if (goesOn && isForwarded) this.server['~forward'](data)
  }

  /** Handles a frame of the real server. */
  #onServerMessage(data: WebSocketData, origin: string): void {
    const deferred: (() => void)[] = (this.#deferred = [])
    const goesOn = this.#dispatchMessages(this.server, data, origin)
    this.#deferred = undefined
    if (goesOn) this.app.receive(data)
    for (const act of deferred) act()
  }

  #afterMessage(act: () => void): void {
    if (this.#deferred) this.#deferred.push(act)
    else act()
  }

  #close(close: PeerClose): void {
    if (close.wasClean) {
      this.app.closeByPeer(close)
      // Open the connection if it still waits for the real server.
      this.accept()
    } else if (this.app.isOpen) this.app.closeByPeer(close)
    else this.app.refuse(close)
  }

  /**
   * Dispatches the messages of a frame. Returns `false` if a listener prevented the default, so that the frame must not
   * be forwarded.
   */
  #dispatchMessages(
    end: WebSocketClient<unknown, unknown> | WebSocketServer<unknown, unknown>,
    data: WebSocketData,
    origin: string,
  ): boolean {
    let goesOn = true
    try {
      for (const message of this.#extension ? valuesOf(this.#extension.decode(data, this.context(end))) : [data]) {
        const event = new MessageEvent('message', { data: message, origin, cancelable: true })
        goesOn = end['~dispatch'](event) && goesOn
      }
    } catch (error) {
      this.#report(error)
    }
    return goesOn
  }

  #encode(message: unknown, end: unknown): Iterable<unknown> {
    return this.#extension ? valuesOf(this.#extension.encode(message as never, this.context(end))) : [message]
  }

  /** Returns the frames that the mocked server sends if no real server is connected. */
  #framesOf(getFrames: () => unknown): WebSocketData[] {
    if (!this.#extension || this.server['~wasConnected']) return []
    try {
      return Array.from(valuesOf(getFrames()), (frame) => checkData('answer for an extension', frame))
    } catch (error) {
      this.#report(error)
      return []
    }
  }
}

import { Listeners } from '../core/listeners.ts'
import { checkServerClose, abnormal } from './close-code.ts'
import { ConnectionEnd } from './connection-end.ts'
import type { WebSocketCloseEvent } from './connection-event.ts'
import { checkData, type WebSocketData } from './message-data.ts'
import type { PeerClose } from './mocked-socket.ts'

/** The events of the app's end. */
export interface WebSocketClientEvents<Incoming> {
  /** The connection is open. */
  open: Event
  /**
   * The app sent a message. If the real server is connected, `preventDefault()` prevents that the message is forwarded
   * to it.
   */
  message: MessageEvent<Incoming>
  /** The connection has ended, from either side. */
  close: WebSocketCloseEvent
}

/** The functions that a client needs of its connection. */
export interface WebSocketClientDuties {
  encode(message: unknown): Iterable<unknown>
  send(data: WebSocketData): void
  close(close: PeerClose): void
}

/** The app's end of a mocked connection. Handlers use it as the server would. */
export class WebSocketClient<Incoming = WebSocketData, Outgoing = WebSocketData> extends ConnectionEnd<
  WebSocketClientEvents<Incoming>
> {
  readonly id: string
  /** The URL to which the app connected. */
  readonly url: URL
  /** The app's `WebSocket`. */
  readonly socket: WebSocket
  /** Called when the connection has ended. Handlers can stop the propagation of the event `close`, but not this. */
  readonly '~ended': Listeners = new Listeners()
  readonly #duties: WebSocketClientDuties

  constructor(id: string, url: URL, socket: WebSocket, duties: WebSocketClientDuties) {
    super()
    this.id = id
    this.url = url
    this.socket = socket
    this.#duties = duties
  }

  /**
   * Sends a message to the app. A message that is sent before the connection is open arrives when it opens.
   *
   * @throws {UnderstudyError} if a WebSocket cannot send the data
   */
  send(message: Outgoing): void {
    for (const frame of this.#duties.encode(message)) {
      this.#duties.send(checkData(`send to the client of ${this.url.href}`, frame))
    }
  }

  /**
   * Closes the connection, after the earlier messages.
   *
   * @param code 1000 (default) to 1015, or 3000 to 4999; 1006 breaks the connection. If it was not open yet, the app
   * gets no `open` event
   * @param reason at most 123 bytes
   * @throws `InvalidAccessError` for another code, `SyntaxError` for a longer reason
   */
  close(code = 1000, reason = ''): void {
    checkServerClose(code, reason, `close the client of ${this.url.href}`)
    const wasClean = code !== abnormal && code !== 1015
    this.#duties.close({ code, reason, wasClean, tellsError: !wasClean })
  }

  protected override get '~socket'(): WebSocket {
    return this.socket
  }
}

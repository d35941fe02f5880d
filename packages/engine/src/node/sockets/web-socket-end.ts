import type { Buffer } from 'node:buffer'
import { Duplex } from 'node:stream'

import type { MockedSocket } from '../../ws/mocked-socket.ts'
import { createClose, createMessage, createPong, FrameError, FrameReader } from './web-socket-frames.ts'

/** The code of a connection that ended without a close frame. */
const broken = 1006

/**
 * The server's end of an open connection of a client that does not use the global `WebSocket`. Imports no code that is loaded already,
 * because the bundler would put that into another file, which every import of the engine would open.
 */
export class WebSocketEnd extends Duplex {
  readonly #app: MockedSocket
  readonly #reader: FrameReader
  #hasSentClose = false
  #hasReceivedClose = false
  #isFinished = false

  constructor(app: MockedSocket) {
    super({ decodeStrings: true })
    this.#app = app
    this.#reader = new FrameReader({
      onMessage: (data) => app.send(data),
      onPing: (payload) => this.#push(createPong(payload)),
      onClose: (code, reason) => this.#receiveClose(code, reason),
    })
  }

  send(data: string | ArrayBuffer): void {
    this.#push(createMessage(data))
  }

  /** Ends the connection after the earlier messages. */
  sendClose(code: number, reason: string): void {
    // A client that has ended its side still reads what was sent before.
    if (this.#isFinished) return
    // A broken connection has no close frame.
    if (code === broken) this.destroy()
    else if (!this.#hasSentClose) {
      this.#push(createClose(code, reason))
      this.#hasSentClose = true
      if (this.#hasReceivedClose) this.#finish()
    }
  }

  #receiveClose(code: number, reason: string): void {
    this.#hasReceivedClose = true
    if (this.#hasSentClose) this.#finish()
    else this.#app.closeByPeer({ code, reason, wasClean: true, tellsError: false })
  }

  #push(frame: Buffer): void {
    if (!this.destroyed && !this.#hasSentClose && !this.#isFinished) this.push(frame)
  }

  #finish(): void {
    this.#isFinished = true
    this.push(null)
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error) => void): void {
    try {
      if (!this.#hasReceivedClose) this.#reader.receive(chunk)
    } catch (error) {
      if (!(error instanceof FrameError)) throw error
      this.#receiveClose(error.code, error.message)
    }
    callback()
  }

  override _final(callback: (error?: Error) => void): void {
    this.#endByClient()
    callback()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#endByClient()
    callback(error)
  }

  /** The client has left without a close frame, or has ended a closed connection. */
  #endByClient(): void {
    this.#app.closeByPeer({ code: broken, reason: '', wasClean: false, tellsError: false })
    if (!this.destroyed) this.#finish()
  }
}

import { Duplex } from 'node:stream'

import type { ClientEnd } from './client-end.ts'

type Callback = (error?: Error | null) => void

/** The server's end of a connection. Node's own HTTP server reads requests from it, and writes responses to it. */
export class ServerEnd extends Duplex {
  readonly connection: ClientEnd
  #resume: (() => void) | undefined

  constructor(connection: ClientEnd) {
    super({ decodeStrings: true })
    this.connection = connection
  }

  receive(chunk: Buffer, callback: () => void): void {
    if (this.destroyed || this.readableEnded || this.push(chunk)) callback()
    else this.#resume = callback
  }

  receiveEnd(): void {
    if (!this.destroyed) this.push(null)
  }

  override _read(): void {
    const resume = this.#resume
    this.#resume = undefined
    resume?.()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.connection.send(chunk, callback)
  }

  override _writev(chunks: { chunk: Buffer }[], callback: Callback): void {
    this.connection.send(Buffer.concat(chunks.map(({ chunk }) => chunk)), callback)
  }

  override _final(callback: Callback): void {
    this.connection.sendEnd(this)
    callback()
  }

  override _destroy(error: Error | null, callback: Callback): void {
    const resume = this.#resume
    this.#resume = undefined
    resume?.()
    this.connection.sendEnd(this)
    callback(error)
  }
}

import type { Duplex } from 'node:stream'

import type { ClientEnd } from './client-end.ts'

/** Carries bytes between a client's connection and one to the network. */
export class Relay {
  readonly #connection: ClientEnd
  readonly #real: Duplex
  #isUsed = false
  #isReleased = false

  constructor(connection: ClientEnd, real: Duplex) {
    this.#connection = connection
    this.#real = real
    real.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose)
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#connection.hasSpoken(this)
    this.receive(chunk)
  }

  readonly #onEnd = (): void => this.#connection.sendEnd(this)
  readonly #onError = (error: Error): void => this.#connection.fail(error)
  readonly #onClose = (): void => {
    this.#connection.sendEnd(this)
  }

  /** Forwards bytes of the network to the client. */
  receive(chunk: Buffer): void {
    this.#isUsed = true
    let isWanted = false
    this.#connection.send(chunk, () => {
      isWanted = true
      this.#real.resume()
    })
    if (!isWanted) this.#real.pause()
  }

  write(chunk: Buffer, callback: () => void): void {
    this.#isUsed = true
    if (this.#real.destroyed) callback()
    else this.#real.write(chunk, () => callback())
  }

  end(): void {
    this.#real.end()
  }

  destroy(): void {
    if (!this.#isReleased) this.#real.destroy()
  }

  /** Returns the connection to the network if it was used. Closes it if it was not. */
  release(): Duplex | undefined {
    this.#isReleased = true
    const real = this.#real
    real.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError).off('close', this.#onClose)
    real.pause()
    // The next user of the socket adds its own listener.
    real.on('error', () => {})
    if (this.#isUsed) return real
    real.destroy()
    return undefined
  }

  setRef(isRef: boolean): void {
    const real = this.#real as Duplex & { ref?: () => void; unref?: () => void }
    if (isRef) real.ref?.()
    else real.unref?.()
  }
}

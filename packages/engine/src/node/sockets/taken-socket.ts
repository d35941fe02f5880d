import type net from 'node:net'
import { Duplex } from 'node:stream'

import { serve } from './answer-requests.ts'
import { attachFarEnd } from './client-socket.ts'
import { Connection, connectionOf } from './connection.ts'
import { ignoreHandshake } from './secure-socket.ts'

type Callback = (error?: Error | null) => void
type Method = (...args: unknown[]) => unknown

/**
 * Takes over a socket that a client has already connected to the network, so that this process answers its requests.
 * Requests that pass through use the existing connection.
 *
 * @param origin the scheme, host and port of the client's requests
 */
export function takeOver(socket: net.Socket, origin: string): void {
  // The TLS handshake may still be in progress, for example through a SOCKS proxy.
  ignoreHandshake(socket)
  const known = connectionOf(socket)
  if (known) {
    known.origin = origin
    known.becomeHttp()
    return
  }
  const real = new RealSide(socket)
  const connection = new Connection(socket, { origin, openReal: () => real, serve })
  // The server may close an unused connection.
  real.once('end', () => connection.retire())
  attachFarEnd(socket, connection)
  connection.becomeHttp()
}

/** The connection that a socket has to the network, while the socket is connected to this process. */
class RealSide extends Duplex {
  readonly #socket: net.Socket
  readonly #methods: Record<'_write' | '_writev' | '_final' | '_read', Method>

  constructor(socket: net.Socket) {
    super()
    this.#socket = socket
    this.#methods = {
      _write: methodOf(socket, '_write'),
      _writev: methodOf(socket, '_writev'),
      _final: methodOf(socket, '_final'),
      _read: methodOf(socket, '_read'),
    }
    // Node pushes the bytes of the network, so there is nothing to do here.
    Object.defineProperty(socket, 'push', {
      value: (chunk: Buffer | null) => this.push(chunk),
      configurable: true,
      writable: true,
    })
    socket.once('close', () => this.destroy())
  }

  override _read(): void {
    this.#methods._read(16_384)
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: Callback): void {
    this.#methods._write(chunk, encoding, callback)
  }

  override _final(callback: Callback): void {
    this.#methods._final(callback)
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.#socket.destroy()
    callback(error)
  }
}

function methodOf(socket: net.Socket, name: string): Method {
  return (Reflect.get(socket, name) as Method).bind(socket)
}

import type net from 'node:net'
import { Duplex } from 'node:stream'

import { serve } from './answer-requests.ts'
import { attachFarEnd } from './client-socket.ts'
import { Connection, connectionOf } from './connection.ts'
import { ignoreHandshake } from './secure-socket.ts'

type Callback = (error?: Error | null) => void
type Method = (...args: unknown[]) => unknown

/**
 * Takes over a socket that a client has connected to the network already: this process answers the requests. Requests that
 * pass through use the existing connection.
 *
 * @param origin scheme, host and port of what the client requests
 */
export function takeOver(socket: net.Socket, origin: string): void {
  // The handshake may still be under way, over a socket that a proxy of another protocol connected.
  ignoreHandshake(socket)
  const known = connectionOf(socket)
  if (known) {
    known.origin = origin
    known.becomeHttp()
    return
  }
  const real = new RealSide(socket)
  const connection = new Connection(socket, { origin, openReal: () => real, serve })
  // The server may close a connection that is not in use.
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
    // What comes from the network is pushed there by Node.
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

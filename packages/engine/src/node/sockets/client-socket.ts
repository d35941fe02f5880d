import net from 'node:net'
import { nextTick } from 'node:process'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers'

import { callbackReaderOf } from './on-read.ts'

/** The far end of a client's socket, in place of a connection to the network. */
export interface FarEnd {
  /** Receives bytes of the client. Calls back when it wants more. */
  receive(chunk: Buffer, callback: () => void): void
  /** The client writes no more. */
  receiveEnd(callback: () => void): void
  /** The client reads again after {@link sendTo} returned `false`. */
  resume(): void
  /** The client's socket was closed. */
  closed(): void
  /** Sets whether the connection to the network, if there is one, keeps the process running. */
  setRef(isRef: boolean): void
  /** The number of bytes that were sent to the client, and received from it. */
  readonly bytesSent: number
  readonly bytesReceived: number
}

/**
 * A registered symbol, because two copies of the engine may run in one process, and neither may take the sockets of the
 * other.
 */
const farEndKey: unique symbol = Symbol.for('understudy.farEnd') as never

/** The members of a socket that Node does not document. */
export interface InternalSocket extends Omit<net.Socket, 'connecting'> {
  connecting: boolean
  [farEndKey]?: FarEnd
  _handle: object | null
  _httpMessage?: object | null
  _peername?: object | null
  _sockname?: object | null
  _host?: string | null
  _parent?: net.Socket | null
  _unrefTimer(): void
}

type Callback = (error?: Error | null) => void
interface Chunk {
  readonly chunk: Buffer | string
  readonly encoding: BufferEncoding
}

/** Returns the far end of a socket that is connected to this process. */
export function farEndOf(socket: object): FarEnd | undefined {
  return (socket as Partial<InternalSocket>)[farEndKey]
}

/** Connects a client's socket to a far end in this process. The socket keeps its class. */
export function attachFarEnd(socket: net.Socket, farEnd: FarEnd): void {
  const isAttached = farEndOf(socket) !== undefined
  Object.defineProperty(socket, farEndKey, { value: farEnd, configurable: true })
  if (!isAttached) Object.setPrototypeOf(socket, prototypeFor(Object.getPrototypeOf(socket) as object))
}

/** Sends bytes, or the end, to a client. Returns `false` if the client does not want more for now. */
export function sendTo(socket: net.Socket, chunk: Buffer | null): boolean {
  ;(socket as InternalSocket)._unrefTimer()
  return callbackReaderOf(socket)?.receive(chunk) ?? Reflect.apply(pushNative, socket, [chunk])
}

const pushNative = Reflect.get(Readable.prototype, 'push') as (this: Readable, chunk: Buffer | null) => boolean

const prototypes = new WeakMap<object, object>()

/** Returns a prototype that extends the given one with methods that use the far end instead of the network. */
function prototypeFor(base: object): object {
  let prototype = prototypes.get(base)
  if (!prototype) {
    prototype = Object.create(base, Object.getOwnPropertyDescriptors(createMethods(base))) as object
    prototypes.set(base, prototype)
  }
  return prototype
}

function createMethods(base: object): object {
  const callBase = (socket: object, name: string, ...args: unknown[]): unknown =>
    Reflect.apply(Reflect.get(base, name, socket) as (...args: unknown[]) => unknown, socket, args)

  const methods: object & ThisType<InternalSocket & { [farEndKey]: FarEnd }> = {
    _write(chunk: Buffer | string, encoding: BufferEncoding, callback: Callback): void {
      whenConnected(this, callback, (written) => {
        this._unrefTimer()
        this[farEndKey].receive(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, written)
      })
    },
    _writev(chunks: readonly Chunk[], callback: Callback): void {
      whenConnected(this, callback, (written) => {
        this._unrefTimer()
        const buffers = chunks.map(({ chunk, encoding }) =>
          typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
        )
        this[farEndKey].receive(Buffer.concat(buffers), written)
      })
    },
    _final(callback: Callback): void {
      whenConnected(this, callback, (ended) => this[farEndKey].receiveEnd(ended))
    },
    _read(size: number): void {
      if (this.connecting) this.once('connect', () => this._read(size))
      else this[farEndKey].resume()
    },
    _destroy(error: Error | null, callback: Callback): void {
      this[farEndKey].closed()
      // Without a handle, Node emits `close` in the same turn. A client would lose received data that it has not read
      // yet.
      this._handle ??= { close: (closed: () => void) => setImmediate(closed) }
      callBase(this, '_destroy', error, callback)
    },
    // Without a handle, Node's own methods wait for one, and add a listener at each call.
    ref(): net.Socket {
      if (this._handle) return callBase(this, 'ref') as net.Socket
      this[farEndKey].setRef(true)
      return this
    },
    unref(): net.Socket {
      if (this._handle) return callBase(this, 'unref') as net.Socket
      this[farEndKey].setRef(false)
      return this
    },
    resetAndDestroy(): net.Socket {
      return this._handle ? (callBase(this, 'resetAndDestroy') as net.Socket) : this.destroy()
    },
    // Without a handle, Node has no local address.
    _getsockname(): object {
      if (this._handle) return callBase(this, '_getsockname') as object
      return (!this.connecting && !this.destroyed && this._sockname) || {}
    },
    get pending(): boolean {
      return this.connecting || this.destroyed
    },
    get bufferSize(): number | undefined {
      return this.destroyed ? undefined : this.writableLength
    },
    get bytesRead(): number {
      return this[farEndKey].bytesSent
    },
    get bytesWritten(): number {
      return this[farEndKey].bytesReceived
    },
  }
  return methods
}

/** @param run gets a function to call when it is done, so that a client sees `connect` before the callback of its first write */
function whenConnected(socket: InternalSocket, callback: Callback, run: (done: () => void) => void): void {
  if (!socket.connecting) {
    run(callback)
    return
  }
  const connect = (): void => {
    socket.off('close', close)
    run(() => nextTick(callback))
  }
  const close = (): void => {
    socket.off('connect', connect)
    callback(
      Object.assign(new Error('Socket closed before the connection was established'), {
        code: 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
      }),
    )
  }
  // Run before the listeners of the client, which may write, too.
  socket.prependOnceListener('connect', connect)
  socket.once('close', close)
}

/** Returns whether Node's own HTTP client, or undici, reads a socket. */
export function isOfHttpClient(socket: object): boolean {
  return (
    (socket as InternalSocket)._httpMessage != null ||
    (socket as { parser?: unknown }).parser != null ||
    Object.getOwnPropertySymbols(socket).some(({ description }) => description === 'parser')
  )
}

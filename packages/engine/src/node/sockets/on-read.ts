import type net from 'node:net'
import { nextTick } from 'node:process'

type Buffers = Uint8Array | (() => Uint8Array)

/** The data that Node stores on a socket for the option `onread`. */
interface OnRead {
  readonly buffers: Buffers
  readonly callback: (bytes: number, buffer: Uint8Array) => unknown
}

/** The sockets whose client reads with the callback of the option `onread`. Most processes have none. */
const readers = new WeakMap<net.Socket, CallbackReader>()

/**
 * Returns the reader that calls the callback of the option `onread`; `undefined` for a client that reads the stream.
 */
export function callbackReaderOf(socket: net.Socket): CallbackReader | undefined {
  return readers.get(socket)
}

/**
 * Calls the callback of the option `onread`, if the client has one. Node does so when it reads from the handle of a
 * socket, so a socket without a handle would wait forever.
 *
 * @see https://nodejs.org/api/net.html#new-netsocketoptions
 */
export function prepareCallbackReader(socket: net.Socket): void {
  const onRead = onReadOf(socket)
  if (onRead) readers.set(socket, new CallbackReader(socket, onRead))
}

function onReadOf(socket: net.Socket): OnRead | undefined {
  const parts: Record<string, unknown> = {}
  for (const key of Object.getOwnPropertySymbols(socket)) {
    if (key.description?.startsWith('kBuffer')) parts[key.description] = Reflect.get(socket, key)
  }
  const { kBuffer, kBufferCb: callback, kBufferGen } = parts
  const buffers = typeof kBufferGen === 'function' ? kBufferGen : kBuffer
  if (typeof callback !== 'function' || !(typeof buffers === 'function' || buffers instanceof Uint8Array)) return
  return { buffers: buffers as Buffers, callback: callback as OnRead['callback'] }
}

class CallbackReader {
  readonly #socket: net.Socket
  readonly #onRead: OnRead
  #chunks: Buffer[] = []
  #hasEnd = false
  #isReading: boolean
  #isDelivering = false

  constructor(socket: net.Socket, onRead: OnRead) {
    this.#socket = socket
    this.#onRead = onRead
    this.#isReading = !socket.isPaused()
    // Each of these methods makes Node read from the handle again. The stream itself never gets a byte, so it would not
    // ask for more.
    this.#precede('pause', () => (this.#isReading = false))
    this.#precede('resume', () => this.#start())
    this.#precede('read', () => this.#start())
  }

  #precede(name: 'pause' | 'read' | 'resume', before: () => void): void {
    const method = Reflect.get(Object.getPrototypeOf(this.#socket) as object, name) as (...args: unknown[]) => unknown
    const value = function (this: net.Socket, ...args: unknown[]): unknown {
      before()
      return Reflect.apply(method, this, args)
    }
    Object.defineProperty(this.#socket, name, { value, configurable: true, writable: true })
  }

  /** Receives bytes for the client, or the end. Returns `false` if the client does not want more for now. */
  receive(chunk: Buffer | null): boolean {
    if (chunk) this.#chunks.push(chunk)
    else this.#hasEnd = true
    this.#deliver()
    return this.#isReading
  }

  #start(): void {
    if (this.#isReading) return
    this.#isReading = true
    // The client's callback must not run inside its call of `resume()`.
    nextTick(() => {
      this.#deliver()
      if (this.#isReading) this.#socket._read(0)
    })
  }

  #deliver(): void {
    if (this.#isDelivering) return
    this.#isDelivering = true
    const socket = this.#socket
    while (this.#isReading && !socket.destroyed) {
      const chunk = this.#chunks.shift()
      if (!chunk) break
      const rest = this.#fill(chunk)
      if (rest.length > 0) this.#chunks.unshift(rest)
    }
    this.#isDelivering = false
    if (!this.#hasEnd || !this.#isReading || this.#chunks.length > 0 || socket.destroyed) return
    this.#hasEnd = false
    socket.push(null)
    // Nothing else reads the stream, and without a reader it does not emit its end.
    socket.read(0)
  }

  /** Calls the client's callback with as many bytes as fit its buffer. Returns the rest. */
  #fill(chunk: Buffer): Buffer {
    const { buffers, callback } = this.#onRead
    try {
      const buffer = typeof buffers === 'function' ? buffers() : buffers
      if (!(buffer instanceof Uint8Array) || buffer.length === 0) {
        this.#socket.destroy(Object.assign(new Error('read ENOBUFS'), { code: 'ENOBUFS', syscall: 'read' }))
        return chunk
      }
      const size = Math.min(buffer.length, chunk.length)
      buffer.set(chunk.subarray(0, size))
      const rest = chunk.subarray(size)
      if (callback(size, buffer) === false) this.#isReading = false
      return rest
    } catch (error) {
      // Report an error of the client's callback as uncaught. It must not reach the server that answers.
      nextTick(() => {
        throw error
      })
      return chunk.subarray(chunk.length)
    }
  }
}

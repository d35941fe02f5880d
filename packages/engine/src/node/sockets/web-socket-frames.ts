import { Buffer } from 'node:buffer'

/** Receives what a client sends. */
export interface FrameListener {
  onMessage(data: string | Buffer): void
  onPing(payload: Buffer): void
  /** @param code 1005 if the client sent none */
  onClose(code: number, reason: string): void
}

/** A violation of the protocol, with the code that closes the connection. */
export class FrameError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const continuation = 0
const text = 1
const binary = 2
const close = 8
const ping = 9
const pong = 10

const protocolError = 1002
const invalidData = 1007
const tooBig = 1009
/** The client sent no code. */
const noCode = 1005

interface Frame {
  readonly isLast: boolean
  readonly opcode: number
  readonly payload: Buffer
  /** The number of bytes of the whole frame. */
  readonly size: number
}

/**
 * Reads the frames of a client, and joins the fragments of messages.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5
 */
export class FrameReader {
  readonly #listener: FrameListener
  #chunks: Buffer[] = []
  #size = 0
  /** The number of bytes without which no more can be read. */
  #needed = 2
  #isEnded = false
  /** The opcode and the fragments of a message that is not complete. */
  #opcode: number | undefined
  #fragments: Buffer[] = []

  constructor(listener: FrameListener) {
    this.#listener = listener
  }

  /** @throws {FrameError} if the bytes violate the protocol */
  receive(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    while (this.#size >= this.#needed && !this.#isEnded) {
      // A copy for each frame would take long if a chunk has many.
      const [only] = this.#chunks
      const bytes = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks)
      const frame = parseFrame(bytes)
      if (typeof frame === 'number') {
        this.#chunks = [bytes]
        this.#needed = frame
        continue
      }
      this.#chunks = [bytes.subarray(frame.size)]
      this.#size -= frame.size
      this.#needed = 2
      this.#handle(frame)
    }
  }

  #handle({ isLast, opcode, payload }: Frame): void {
    if (opcode === ping) this.#listener.onPing(payload)
    else if (opcode === close) {
      this.#isEnded = true
      this.#listener.onClose(...readClose(payload))
    } else if (opcode !== pong) this.#handleData(isLast, opcode, payload)
  }

  #handleData(isLast: boolean, opcode: number, payload: Buffer): void {
    if ((opcode === continuation) !== (this.#opcode !== undefined)) {
      throw new FrameError(protocolError, 'a fragment has no message')
    }
    this.#opcode ??= opcode
    this.#fragments.push(payload)
    if (!isLast) return
    const data = Buffer.concat(this.#fragments)
    const isText = this.#opcode === text
    this.#opcode = undefined
    this.#fragments = []
    this.#listener.onMessage(isText ? decode(data) : data)
  }
}

/** Returns the first frame, or the number of bytes that are needed for the next step. */
function parseFrame(bytes: Buffer): Frame | number {
  const [first = 0, second = 0] = bytes
  const opcode = first & 0x0f
  const isLast = (first & 0x80) !== 0
  const isControl = opcode >= close
  if ((first & 0x70) !== 0) throw new FrameError(protocolError, 'a frame has a reserved bit')
  if (opcode > pong || (opcode > binary && !isControl)) throw new FrameError(protocolError, 'a frame has no known type')
  if ((second & 0x80) === 0) throw new FrameError(protocolError, 'a frame has no mask')
  const short = second & 0x7f
  if (isControl && (!isLast || short > 125)) throw new FrameError(protocolError, 'a control frame is too long')
  const start = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < start) return start
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (length > 0x7fff_ffff) throw new FrameError(tooBig, 'a frame is too long')
  const size = start + 4 + length
  if (bytes.length < size) return size
  const mask = bytes.subarray(start, start + 4)
  const payload = Buffer.from(bytes.subarray(start + 4, size))
  for (let index = 0; index < length; index += 1) payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0)
  return { isLast, opcode, payload, size }
}

function readClose(payload: Buffer): [code: number, reason: string] {
  if (payload.length === 0) return [noCode, '']
  if (payload.length === 1) throw new FrameError(protocolError, 'a close frame has half a code')
  return [payload.readUInt16BE(0), decode(payload.subarray(2))]
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new FrameError(invalidData, 'a text is not valid UTF-8')
  }
}

/** Creates a frame with a whole message. */
export function createMessage(data: string | ArrayBuffer): Buffer {
  return typeof data === 'string' ? createFrame(text, Buffer.from(data)) : createFrame(binary, Buffer.from(data))
}

export function createPong(payload: Buffer): Buffer {
  return createFrame(pong, payload)
}

/** @param code 1005 creates a frame without a code */
export function createClose(code: number, reason: string): Buffer {
  if (code === noCode) return createFrame(close, Buffer.alloc(0))
  const start = Buffer.alloc(2)
  start.writeUInt16BE(code)
  return createFrame(close, Buffer.concat([start, Buffer.from(reason)]))
}

function createFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

import { createId } from '../core/create-id.ts'
import { failure } from '../core/failure.ts'
import type { TakenConnection } from '../core/network/network.ts'

/** A mocked WebSocket connection, as plain data. */
export interface LoggedConnection {
  readonly id: string
  readonly url: string
  /** Headers of the handlers that took the connection: `WS wss://chat.test`. */
  readonly handlers: readonly string[]
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly state: 'connecting' | 'open' | 'closed'
  /** Milliseconds from the start until the connection closed; `null` while it has not. */
  readonly closedAfter: number | null
  /** The close code; `null` while the connection has not closed. */
  readonly code: number | null
  readonly reason: string | null
  /** The number of frames that the app sent. */
  readonly sent: number
  /** The number of frames that the app received. */
  readonly received: number
}

/** A message on a WebSocket connection, as plain data. */
export interface LoggedFrame {
  /** Its position among the frames of the connection, from 1. */
  readonly id: number
  /** The direction from the app's point of view. */
  readonly direction: 'sent' | 'received'
  /** Milliseconds since 1970. */
  readonly at: number
  /** The size in bytes. */
  readonly size: number
  /** The beginning of a text frame; `null` for a binary frame. */
  readonly text: string | null
  /** The first bytes of a binary frame, for display: `00 0f ff …`. Those of a `Blob` arrive later. */
  readonly hex?: string
}

interface Connection {
  readonly frames: LoggedFrame[]
  readonly send: (data: string) => void
}

/** The number of connections that are kept. */
const connectionLimit = 50
/** The number of frames of a connection that are kept: the last ones. */
const frameLimit = 200
/** The number of characters of a text frame that are kept. */
const textLimit = 16_384
/** The number of bytes of a binary frame that are kept. */
const bytesLimit = 64

/** The last WebSocket connections that handlers took, and their last frames. */
export class ConnectionLog {
  readonly #changed: () => void
  readonly #connections = new Map<string, Connection>()
  /** In the order in which they started. */
  readonly #logged = new Map<string, LoggedConnection>()

  /** @param changed called after every change */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** The newest first. */
  get connections(): readonly LoggedConnection[] {
    return [...this.#logged.values()].toReversed()
  }

  add({ url, handlers, socket, onSent, send }: TakenConnection): void {
    const id = createId()
    const startedAt = Date.now()
    const frames: LoggedFrame[] = []
    this.#connections.set(id, { frames, send })
    this.#logged.set(id, {
      id,
      url: url.href,
      handlers: handlers.map(({ info }) => info.header),
      startedAt,
      state: 'connecting',
      closedAfter: null,
      code: null,
      reason: null,
      sent: 0,
      received: 0,
    })
    const [oldest] = this.#logged.keys()
    if (this.#logged.size > connectionLimit && oldest !== undefined) {
      this.#logged.delete(oldest)
      this.#connections.delete(oldest)
    }
    this.#changed()

    let lastFrame = 0
    const log = (direction: LoggedFrame['direction'], data: unknown): void => {
      lastFrame += 1
      const text = typeof data === 'string' ? data.slice(0, textLimit) : null
      const size = sizeOf(data)
      const bytes = toBytes(data)
      const hex = bytes && { hex: toHex(bytes, size) }
      const frame: LoggedFrame = { id: lastFrame, direction, at: Date.now(), size, text, ...hex }
      frames.push(frame)
      if (frames.length > frameLimit) frames.shift()
      if (data instanceof Blob) void this.#readBlob(data, frame, frames)
      this.#update(id, ({ sent, received }) => (direction === 'sent' ? { sent: sent + 1 } : { received: received + 1 }))
    }
    socket.addEventListener('open', () => this.#update(id, () => ({ state: 'open' })))
    onSent((data) => log('sent', data))
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => log('received', data))
    socket.addEventListener('close', ({ code, reason }) =>
      this.#update(id, () => ({ state: 'closed', code, reason, closedAfter: Date.now() - startedAt })),
    )
  }

  /** The last frames of a connection, the oldest first. */
  frames(id: string): readonly LoggedFrame[] {
    return [...(this.#connections.get(id)?.frames ?? [])]
  }

  /** @throws {UnderstudyError} if the connection is not open */
  send(id: string, data: string): void {
    const connection = this.#connections.get(id)
    if (!connection || this.#logged.get(id)?.state !== 'open') {
      throw failure(
        'US0858',
        'send a message to the app',
        'the connection is not open',
        'Choose a connection that is open.',
      )
    }
    connection.send(data)
  }

  clear(): void {
    for (const [id, { state }] of this.#logged) {
      // An open connection stays in the list, so that a message can still be sent on it.
      if (state !== 'closed') continue
      this.#logged.delete(id)
      this.#connections.delete(id)
    }
  }

  async #readBlob(blob: Blob, frame: LoggedFrame, frames: LoggedFrame[]): Promise<void> {
    // A blob of a file that was changed cannot be read.
    const bytes = await blob
      .slice(0, bytesLimit)
      .arrayBuffer()
      .catch(() => undefined)
    const index = frames.indexOf(frame)
    if (!bytes || index === -1) return
    frames[index] = { ...frame, hex: toHex(new Uint8Array(bytes), blob.size) }
    this.#changed()
  }

  #update(id: string, change: (connection: LoggedConnection) => Partial<LoggedConnection>): void {
    const known = this.#logged.get(id)
    if (!known) return
    this.#logged.set(id, { ...known, ...change(known) })
    this.#changed()
  }
}

function sizeOf(data: unknown): number {
  if (typeof data === 'string') return new TextEncoder().encode(data).length
  if (data instanceof Blob) return data.size
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return data.byteLength
  return 0
}

/** Returns the first bytes of an `ArrayBuffer` or a view. */
function toBytes(data: unknown): Uint8Array | undefined {
  if (data instanceof ArrayBuffer) return new Uint8Array(data, 0, Math.min(data.byteLength, bytesLimit))
  if (!ArrayBuffer.isView(data)) return undefined
  return new Uint8Array(data.buffer, data.byteOffset, Math.min(data.byteLength, bytesLimit))
}

function toHex(bytes: Uint8Array, size: number): string {
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
  return [...pairs, ...(size > bytes.length ? ['…'] : [])].join(' ')
}

/** A body, as plain data. */
export interface InspectedBody {
  /** The Content-Type, `''` if it is missing. */
  readonly type: string
  /** The number of bytes that have arrived. */
  readonly size: number
  /** Whether the body has ended and all of it is kept. */
  readonly isComplete: boolean
  /** The kept part of a text body; otherwise `null`. */
  readonly text: string | null
  /**
   * Of an event stream: when its parts arrived, in milliseconds since 1970, and where each part ends in the text. The
   * last 1,000 parts.
   */
  readonly arrivals?: readonly { readonly end: number; readonly at: number }[]
  /** The kept part of a body that is not text; otherwise `null`. With the type, it can be used in a `data:` URL. */
  readonly base64: string | null
}

/** The kept part of a body. */
export interface KeptBody {
  /** @param limit bytes; default: all that is kept */
  read(limit?: number): InspectedBody
  /**
   * Removes the bytes above a limit, including those that arrive later.
   *
   * @returns the number of removed bytes
   */
  cut(limit: number): number
  /**
   * Stops keeping bytes.
   *
   * @returns the number of bytes that were kept
   */
  end(): number
  /** Reads the bytes that have arrived, then stops reading. */
  leave(): void
}

/** The body of a response that was created from a text. It is copied on demand. */
export class KeptText implements KeptBody {
  readonly #type: string
  readonly #length: number
  #text: string
  #kept: number

  /**
   * @param length of the text, in bytes
   * @param limit bytes
   */
  constructor(headers: Headers, text: string, length: number, limit: number) {
    this.#type = headers.get('content-type') ?? ''
    this.#length = length
    this.#text = text
    this.#kept = length
    this.cut(limit)
  }

  /** The number of bytes that are kept. */
  get size(): number {
    return this.#kept
  }

  get isComplete(): boolean {
    return this.#kept === this.#length
  }

  read(limit: number = this.#kept): InspectedBody {
    const isCut = limit < this.#kept
    const isText = isTextual(this.#type)
    const text = isCut ? cutText(this.#text, limit) : this.#text
    return {
      type: this.#type,
      size: this.#length,
      isComplete: this.isComplete && !isCut,
      text: isText ? text : null,
      base64: isText ? null : toBase64(encoder.encode(text)),
    }
  }

  cut(limit: number): number {
    const forgotten = this.#kept - limit
    if (forgotten <= 0) return 0
    this.#text = cutText(this.#text, limit)
    this.#kept = limit
    return forgotten
  }

  end(): number {
    return this.#kept
  }

  leave(): void {}
}

const encoder = new TextEncoder()

/** @param limit bytes */
function cutText(text: string, limit: number): string {
  return new TextDecoder().decode(encoder.encode(text).subarray(0, limit))
}

/** The number of parts of an event stream that are kept with their time. */
const arrivalLimit = 1000

/** A body that is kept as it arrives. */
export class ArrivingBody implements KeptBody {
  readonly #type: string
  #chunks: Uint8Array[] = []
  /** For an event stream: the number of bytes after each chunk. */
  readonly #arrivals: { readonly bytes: number; readonly at: number }[] = []
  #limit: number
  #kept = 0
  #size = 0
  #isComplete = false
  #isLeft = false
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  /**
   * @param changed called with the number of bytes that were added
   * @param ended called when the body has arrived completely
   */
  constructor(
    message: Request | Response,
    limit: number,
    changed: (added?: number) => void,
    ended?: (body: ArrivingBody) => void,
  ) {
    this.#limit = limit
    this.#type = message.headers.get('content-type') ?? ''
    this.#reader = (message.body ?? streamOf(message)).getReader()
    void this.#fill(changed, ended)
  }

  read(limit: number = this.#kept): InspectedBody {
    const bytes = this.#join(Math.min(limit, this.#kept))
    const isText = isTextual(this.#type)
    return {
      type: this.#type,
      size: this.#size,
      isComplete: this.#isComplete && bytes.length === this.#kept,
      text: isText ? new TextDecoder().decode(bytes) : null,
      base64: isText ? null : toBase64(bytes),
      ...(this.#isEventStream && { arrivals: this.#readArrivals(bytes) }),
    }
  }

  get #isEventStream(): boolean {
    return /^text\/event-stream\b/i.test(this.#type)
  }

  #readArrivals(bytes: Uint8Array): NonNullable<InspectedBody['arrivals']> {
    const decoder = new TextDecoder()
    let start = 0
    let end = 0
    return this.#arrivals.flatMap(({ bytes: stop, at }) => {
      if (stop > bytes.length) return []
      end += decoder.decode(bytes.subarray(start, stop), { stream: true }).length
      start = stop
      return [{ end, at }]
    })
  }

  cut(limit: number): number {
    this.#limit = Math.min(this.#limit, limit)
    const forgotten = this.#kept - this.#limit
    if (forgotten <= 0) return 0
    // Copy the part: a view of the chunk would keep the memory of the whole chunk.
    this.#chunks = [this.#join(this.#limit)]
    this.#kept = this.#limit
    this.#isComplete = false
    return forgotten
  }

  end(): number {
    this.#limit = this.#kept
    return this.#kept
  }

  #join(length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length)
    let offset = 0
    for (const chunk of this.#chunks) {
      if (offset === length) break
      bytes.set(chunk.subarray(0, length - offset), offset)
      offset = Math.min(length, offset + chunk.length)
    }
    return bytes
  }

  leave(): void {
    // Bytes that have arrived are read in microtasks.
    setTimeout(() => {
      this.#isLeft = true
      this.#reader.cancel().catch(() => {})
    })
  }

  async #fill(changed: (added?: number) => void, ended?: (body: ArrivingBody) => void): Promise<void> {
    const reader = this.#reader
    try {
      for (let { done, value } = await reader.read(); ; { done, value } = await reader.read()) {
        if (done || !value) {
          this.#isComplete = !this.#isLeft && this.#kept === this.#size
          if (this.#isComplete) ended?.(this)
          break
        }
        const kept = value.slice(0, this.#limit - this.#kept)
        this.#chunks.push(kept)
        this.#kept += kept.length
        if (this.#isEventStream) {
          this.#arrivals.push({ bytes: this.#kept, at: Date.now() })
          if (this.#arrivals.length > arrivalLimit) this.#arrivals.shift()
        }
        this.#size += value.length
        const isCut = kept.length < value.length
        changed(kept.length)
        if (isCut) {
          // The owner of the body reads the other branch of the stream, which continues.
          await reader.cancel()
          break
        }
      }
    } catch {
      // The body failed, also for its owner. Keep the bytes that arrived before.
    }
    changed()
  }
}

/** Returns the body of a request as a stream, even if the platform cannot stream it. */
function streamOf(message: Request | Response): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const bytes = new Uint8Array(await message.arrayBuffer())
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })
}

function isTextual(type: string): boolean {
  return /^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded|graphql)\b/i.test(type)
}

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  // An argument for each byte of a large body would exceed the stack.
  for (let start = 0; start < bytes.length; start += 8192) {
    parts.push(String.fromCharCode(...bytes.subarray(start, start + 8192)))
  }
  return btoa(parts.join(''))
}

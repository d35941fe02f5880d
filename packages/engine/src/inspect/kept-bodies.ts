import type { Decision } from '../core/network/outcome.ts'
import type { RequestProgress } from '../core/network/request-progress.ts'

/** A body, as plain data. */
export interface InspectedBody {
  /** The Content-Type, `''` where there is none. */
  readonly type: string
  /** Bytes that have come by now. */
  readonly size: number
  /** Whether that is all: the body has ended, and is no longer than what is kept. */
  readonly isComplete: boolean
  /** What is kept of it, where it is text; else `null`. */
  readonly text: string | null
  /**
   * Of an event stream: when its parts arrived, in milliseconds since 1970, and where each part ends in the text. The
   * last 1,000 parts.
   */
  readonly arrivals?: readonly { readonly end: number; readonly at: number }[]
  /** What is kept of it, where it is not text; else `null`. With the type, it makes a `data:` URL. */
  readonly base64: string | null
}

/** The bodies of a request; `null` where there is none, or it was not kept. */
export interface InspectedBodies {
  readonly request: InspectedBody | null
  /** The body of a mocked response. */
  readonly response: InspectedBody | null
}

/** How many bytes of all bodies are kept. Above it, the oldest bodies lose what is above {@link cutLimit}. */
const totalLimit = 32_000_000
/** How many bytes remain of a body that is cut because of the total. */
const cutLimit = 65_536

/** The beginnings of bodies of the last requests. */
export class KeptBodies {
  readonly #requests = new Map<string, { request: KeptBody | null; response: KeptBody | null }>()
  readonly #changed: (added?: number) => void
  readonly #ended: (id: string, readText: () => string | null) => void
  #total = 0

  /**
   * @param changed called as bytes come
   * @param ended called when the body of a response has arrived and is whole
   */
  constructor(changed: () => void, ended: (id: string, readText: () => string | null) => void) {
    this.#ended = ended
    this.#changed = (added = 0) => {
      this.#total += added
      if (this.#total > totalLimit) this.#cut()
      changed()
    }
  }

  /** @param limit bytes of each body */
  keep({ request, requestId, outcome }: Decision, limit: number): void {
    const response = outcome.type === 'mocked' ? outcome.response : null
    this.#requests.set(requestId, {
      request: mayHaveBody(request) && !request.bodyUsed ? new KeptBody(request.clone(), limit, this.#changed) : null,
      response: this.#requests.get(requestId)?.response ?? (response && this.#read(requestId, response, limit)),
    })
  }

  /**
   * Keeps what a handler answers, until the client has read it or has left. A copy that was read on would keep the stream
   * of the handler open, and the handler would not learn that the client left.
   *
   * @param limit bytes of the body
   */
  keepAnswer({ requestId, response, onEnd }: Extract<RequestProgress, { type: 'answer' }>, limit: number): void {
    const kept = this.#read(requestId, response, limit)
    if (!kept) return
    this.#requests.set(requestId, { request: null, response: kept })
    onEnd(() => kept.leave())
  }

  /**
   * Keeps what the network answered.
   *
   * @param limit bytes of the body
   */
  keepResponse(id: string, response: Response, limit: number): void {
    const known = this.#requests.get(id)
    if (known) known.response = this.#read(id, response, limit)
  }

  /** @param limit bytes of each body; default: all that is kept */
  get(id: string, limit?: number): InspectedBodies {
    const { request, response } = this.#requests.get(id) ?? {}
    return { request: request?.read(limit) ?? null, response: response?.read(limit) ?? null }
  }

  /** Forgets those of a request. */
  forget(id: string): void {
    const { request, response } = this.#requests.get(id) ?? {}
    this.#total -= (request?.end() ?? 0) + (response?.end() ?? 0)
    this.#requests.delete(id)
  }

  /** Cuts the oldest bodies until the total is below the limit. */
  #cut(): void {
    for (const { request, response } of this.#requests.values()) {
      if (this.#total <= totalLimit) return
      this.#total -= (request?.cut(cutLimit) ?? 0) + (response?.cut(cutLimit) ?? 0)
    }
  }

  #read(id: string, response: Response, limit: number): KeptBody | null {
    if (!response.body || response.bodyUsed) return null
    return new KeptBody(response.clone(), limit, this.#changed, (body) => this.#ended(id, () => body.read().text))
  }
}

/** How many parts of an event stream are kept with their time. */
const arrivalLimit = 1000

class KeptBody {
  readonly #type: string
  #chunks: Uint8Array[] = []
  /** Of an event stream: the number of bytes after each chunk. */
  readonly #arrivals: { readonly bytes: number; readonly at: number }[] = []
  #limit: number
  #kept = 0
  #size = 0
  #isComplete = false
  #isLeft = false
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  /**
   * @param changed called with the number of bytes that were added
   * @param ended called when the body has arrived and is whole
   */
  constructor(
    message: Request | Response,
    limit: number,
    changed: (added?: number) => void,
    ended?: (body: KeptBody) => void,
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

  /**
   * Forgets the bytes above a limit, also those that arrive later.
   *
   * @returns how many were forgotten
   */
  cut(limit: number): number {
    this.#limit = Math.min(this.#limit, limit)
    const forgotten = this.#kept - this.#limit
    if (forgotten <= 0) return 0
    // A copy: a part of the chunk would keep all of its memory.
    this.#chunks = [this.#join(this.#limit)]
    this.#kept = this.#limit
    this.#isComplete = false
    return forgotten
  }

  /**
   * Keeps nothing more.
   *
   * @returns how many bytes were kept
   */
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

  /** Reads what has come, and no more. */
  leave(): void {
    // What has come is read in microtasks.
    setTimeout(() => {
      this.#isLeft = true
      this.#reader.cancel().catch(() => {})
    })
  }

  async #fill(changed: (added?: number) => void, ended?: (body: KeptBody) => void): Promise<void> {
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
          // The other half of the body is for its owner, and flows on.
          await reader.cancel()
          break
        }
      }
    } catch {
      // It broke, for its owner too: what came until then is what there is to see.
    }
    changed()
  }
}

/** Firefox has no `Request.body`: there the method must do. */
function mayHaveBody({ body, method }: Request): boolean {
  return body === undefined ? method !== 'GET' && method !== 'HEAD' : body !== null
}

/** The body of a request where it cannot be read as it comes. */
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

import type { Decision } from '../core/network/outcome.ts'

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
  /** What is kept of it, where it is not text; else `null`. With the type, it makes a `data:` URL. */
  readonly base64: string | null
}

/** The bodies of a request; `null` where there is none, or it was not kept. */
export interface InspectedBodies {
  readonly request: InspectedBody | null
  /** Of a mocked response. */
  readonly response: InspectedBody | null
}

/** The beginnings of bodies of the last requests. */
export class KeptBodies {
  readonly #requests = new Map<string, { request: KeptBody | null; response: KeptBody | null }>()
  readonly #changed: () => void

  /** @param changed called as bytes come */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** @param limit bytes of each body */
  keep({ request, requestId, outcome }: Decision, limit: number): void {
    const response = outcome.type === 'mocked' ? outcome.response : null
    this.#requests.set(requestId, {
      request: mayHaveBody(request) && !request.bodyUsed ? new KeptBody(request.clone(), limit, this.#changed) : null,
      response: response?.body && !response.bodyUsed ? new KeptBody(response.clone(), limit, this.#changed) : null,
    })
  }

  get(id: string): InspectedBodies {
    const { request, response } = this.#requests.get(id) ?? {}
    return { request: request?.read() ?? null, response: response?.read() ?? null }
  }

  /** Forgets those of requests that are logged no more. */
  forgetOthers(ids: ReadonlySet<string>): void {
    for (const id of this.#requests.keys()) if (!ids.has(id)) this.#requests.delete(id)
  }
}

class KeptBody {
  readonly #type: string
  readonly #chunks: Uint8Array[] = []
  #kept = 0
  #size = 0
  #isComplete = false

  constructor(message: Request | Response, limit: number, changed: () => void) {
    this.#type = message.headers.get('content-type') ?? ''
    void this.#fill(message.body ?? streamOf(message), limit, changed)
  }

  read(): InspectedBody {
    const bytes = new Uint8Array(this.#kept)
    let offset = 0
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset)
      offset += chunk.length
    }
    const isText = isTextual(this.#type)
    return {
      type: this.#type,
      size: this.#size,
      isComplete: this.#isComplete,
      text: isText ? new TextDecoder().decode(bytes) : null,
      base64: isText ? null : toBase64(bytes),
    }
  }

  async #fill(body: ReadableStream<Uint8Array>, limit: number, changed: () => void): Promise<void> {
    const reader = body.getReader()
    try {
      for (let { done, value } = await reader.read(); ; { done, value } = await reader.read()) {
        if (done || !value) {
          this.#isComplete = true
          break
        }
        const kept = value.slice(0, limit - this.#kept)
        this.#chunks.push(kept)
        this.#kept += kept.length
        this.#size += value.length
        if (kept.length < value.length) {
          // The other half of the body is for its owner, and flows on.
          await reader.cancel()
          break
        }
        changed()
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
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

import type { RequestBody } from '../core/network/incoming-request.ts'
import { Request } from '../core/platform.ts'

/** The body of a request with a single owner. It is read once, and every caller gets a copy. */
export class OwnedBody implements RequestBody {
  readonly #request: Request
  #reading: Promise<ArrayBuffer> | undefined
  #bytes: ArrayBuffer | undefined

  /** @param request its body is unread, and left to this object */
  constructor(request: Request) {
    this.#request = request
  }

  async text(): Promise<string> {
    this.#bytes ??= await (this.#reading ??= this.#request.arrayBuffer())
    return decoder.decode(this.#bytes)
  }

  copy(): Request {
    return this.#reading ? this.#again(this.#reading) : this.#request.clone()
  }

  /** The request to perform, with all of its body. */
  whole(): Request {
    return this.#reading ? this.#again(this.#reading) : this.#request
  }

  #again(reading: Promise<ArrayBuffer>): Request {
    const init: NodeRequestInit = { body: this.#bytes ?? streamOf(reading), duplex: 'half' }
    return new Request(this.#request, init)
  }
}

/** What Node asks of a body that is a stream. */
interface NodeRequestInit extends RequestInit {
  duplex: 'half'
}

const decoder = new TextDecoder()

/** Bytes that are still on their way: they come, or fail, as they would have. */
function streamOf(reading: Promise<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array(await reading))
      controller.close()
    },
  })
}

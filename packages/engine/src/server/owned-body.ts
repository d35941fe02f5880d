import type { RequestBody } from '../core/handlers/incoming-request.ts'
import { Request } from '../core/platform.ts'

/** The body of a request that no other code reads. It is read once, and every caller gets a copy. */
export class OwnedBody implements RequestBody {
  readonly #request: Request
  #reading: Promise<ArrayBuffer> | undefined
  #bytes: ArrayBuffer | undefined

  /** @param request its body must be unread, and only this object may read it */
  constructor(request: Request) {
    this.#request = request
  }

  text(): Promise<string> {
    return (this.#reading ??= this.#request.arrayBuffer()).then((bytes) => decoder.decode((this.#bytes = bytes)))
  }

  copy(): Request {
    return this.#reading ? this.#again(this.#reading) : this.#request.clone()
  }

  /** Returns the request for the network, with its whole body. */
  whole(): Request {
    return this.#reading ? this.#again(this.#reading) : this.#request
  }

  #again(reading: Promise<ArrayBuffer>): Request {
    const init: NodeRequestInit = { body: this.#bytes ?? streamOf(reading), duplex: 'half' }
    return new Request(this.#request, init)
  }
}

/** The option that Node requires for a body that is a stream. */
interface NodeRequestInit extends RequestInit {
  duplex: 'half'
}

const decoder = new TextDecoder()

/** Creates a stream from bytes that are still being read. It fails if reading fails. */
function streamOf(reading: Promise<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array(await reading))
      controller.close()
    },
  })
}

import type { RequestBody } from '../../core/handlers/incoming-request.ts'
import type { RequestData } from '../../worker/protocol.ts'
import { requestFromData } from './request-from-data.ts'

/** The body of a request that a worker sent as bytes. Any number of requests can be constructed from them. */
export class SentBody implements RequestBody {
  readonly #data: RequestData
  readonly #signal: AbortSignal

  constructor(data: RequestData, signal: AbortSignal) {
    this.#data = data
    this.#signal = signal
  }

  text(): string {
    return new TextDecoder().decode(this.#data.body ?? undefined)
  }

  copy(): Request {
    return requestFromData(this.#data, this.#signal)
  }
}

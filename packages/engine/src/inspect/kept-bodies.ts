import type { Decision } from '../core/network/outcome.ts'
import type { RequestProgress } from '../core/network/request-progress.ts'
import { knownBodyOf } from '../core/responses/http-response.ts'
import { ArrivingBody, KeptText, type InspectedBody, type KeptBody } from './kept-body.ts'

/** The bodies of a request; `null` if there is no body, or it was not kept. */
export interface InspectedBodies {
  readonly request: InspectedBody | null
  /** The body of a mocked response. */
  readonly response: InspectedBody | null
}

/** The number of bytes of all bodies that are kept. Above this limit, the oldest bodies are cut to {@link cutLimit}. */
const totalLimit = 32_000_000
/** The number of bytes that remain of a body that is cut because of the total. */
const cutLimit = 65_536

/** The beginnings of bodies of the last requests. */
export class KeptBodies {
  readonly #requests = new Map<string, { request: KeptBody | null; response: KeptBody | null }>()
  readonly #changed: (added?: number) => void
  readonly #ended: (id: string, readText: () => string | null) => void
  #total = 0

  /**
   * @param changed called when bytes arrive
   * @param ended called when the body of a response has arrived completely
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
      request:
        mayHaveBody(request) && !request.bodyUsed ? new ArrivingBody(request.clone(), limit, this.#changed) : null,
      response: this.#requests.get(requestId)?.response ?? (response && this.#read(requestId, response, limit)),
    })
  }

  /**
   * Keeps the body of a handler's response until the client has read it or has left. A copy that was read on would keep
   * the stream
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
   * Keeps the body of a response of the network.
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

  /** Removes the bodies of a request. */
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
    // Read the text directly: a copy of the response would take longer than everything else that a panel does in the
    // page.
    const known = knownBodyOf(response)
    if (known?.text != null) {
      const kept = new KeptText(response.headers, known.text, known.length, limit)
      this.#changed(kept.size)
      if (kept.isComplete) this.#ended(id, () => kept.read().text)
      return kept
    }
    return new ArrivingBody(response.clone(), limit, this.#changed, (body) => this.#ended(id, () => body.read().text))
  }
}

/** Firefox has no `Request.body`, so use the method there. */
function mayHaveBody({ body, method }: Request): boolean {
  return body === undefined ? method !== 'GET' && method !== 'HEAD' : body !== null
}

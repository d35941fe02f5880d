import type { Decision } from '../core/network/outcome.ts'

/** A request that was decided, as plain data. */
export interface LoggedRequest {
  /** As in life-cycle events. */
  readonly id: string
  readonly method: string
  readonly url: string
  /** How its protocol names it: `query GetUser`. */
  readonly name: string | null
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds until the decision. */
  readonly duration: number
  readonly outcome: 'mocked' | 'network-error' | 'passthrough' | 'unhandled'
  /** Of a mocked response. */
  readonly status: number | null
  readonly statusText: string | null
  /** Why it failed, where it did. */
  readonly error: string | null
  /** Which handler decided; see `InspectedHandler.id`. It may be gone by now. */
  readonly handler: { readonly id: number; readonly header: string } | null
  /** Where no handler matched, and it is no asset: the handlers that came nearest, and what differed. */
  readonly nearest: readonly { readonly id: number; readonly header: string; readonly difference: string }[]
  /** Where no handler matched, and it is no asset: the text of one that would, ready to paste. */
  readonly suggestion: string | null
}

/** Names and values of headers, in their order. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** The headers of a request, as plain data. */
export interface InspectedHeaders {
  readonly request: HeaderList
  /** Of a mocked response. */
  readonly response: HeaderList | null
}

/** The last requests, the newest first. */
export class RequestLog {
  readonly #limit: number
  #requests: readonly LoggedRequest[] = []
  /** Read when somebody asks: most are never looked at. */
  readonly #headers = new Map<string, { request: Headers; response: Headers | null }>()

  /** @param limit how many are kept */
  constructor(limit: number) {
    this.#limit = limit
  }

  get requests(): readonly LoggedRequest[] {
    return this.#requests
  }

  add(decision: Decision): void {
    const { request, requestId, outcome } = decision
    this.#headers.set(requestId, {
      request: request.headers,
      response: outcome.type === 'mocked' ? outcome.response.headers : null,
    })
    const forgotten = this.#requests[this.#limit - 1]
    if (forgotten) this.#headers.delete(forgotten.id)
    this.#requests = [toLoggedRequest(decision), ...this.#requests.slice(0, this.#limit - 1)]
  }

  headers(id: string): InspectedHeaders | null {
    const known = this.#headers.get(id)
    return known ? { request: [...known.request], response: known.response ? [...known.response] : null } : null
  }

  clear(): void {
    this.#requests = []
    this.#headers.clear()
  }
}

function toLoggedRequest({ request, requestId, outcome, entry, ...decision }: Decision): LoggedRequest {
  const response = outcome.type === 'mocked' ? outcome.response : null
  return {
    id: requestId,
    method: request.method,
    url: request.url,
    name: decision.name ?? null,
    startedAt: decision.startedAt,
    duration: decision.duration,
    outcome: outcome.type,
    status: response?.status ?? null,
    statusText: response?.statusText ?? null,
    error: outcome.type === 'network-error' ? messageOf(outcome.error) : null,
    handler: entry ? { id: entry.id, header: entry.handler.info.header } : null,
    nearest: decision.nearest().map(({ entry: near, difference }) => ({
      id: near.id,
      header: near.handler.info.header,
      difference,
    })),
    suggestion: decision.suggestion() ?? null,
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

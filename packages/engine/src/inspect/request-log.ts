import type { Decision } from '../core/network/outcome.ts'

/** A request that was decided, as plain data. */
export interface LoggedRequest {
  readonly id: string
  readonly method: string
  readonly url: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds until the decision. */
  readonly duration: number
  readonly outcome: 'mocked' | 'network-error' | 'passthrough' | 'unhandled'
  /** Of a mocked response. */
  readonly status: number | null
  readonly statusText: string | null
  /** Which handler decided; see `InspectedHandler.id`. */
  readonly handlerId: number | null
  /** For an unhandled request that is no asset: the handlers that came nearest. */
  readonly nearest: readonly { readonly handlerId: number; readonly header: string; readonly difference: string }[]
}

/** The last requests, the newest first. */
export class RequestLog {
  readonly #limit: number
  #requests: LoggedRequest[] = []

  /** @param limit how many are kept */
  constructor(limit: number) {
    this.#limit = limit
  }

  get requests(): readonly LoggedRequest[] {
    return this.#requests
  }

  add(decision: Decision): void {
    this.#requests = [toLoggedRequest(decision), ...this.#requests.slice(0, this.#limit - 1)]
  }

  clear(): void {
    this.#requests = []
  }
}

function toLoggedRequest({
  request,
  requestId,
  startedAt,
  duration,
  outcome,
  entry,
  nearest,
}: Decision): LoggedRequest {
  const response = outcome.type === 'mocked' ? outcome.response : null
  return {
    id: requestId,
    method: request.method,
    url: request.url,
    startedAt,
    duration,
    outcome: outcome.type,
    status: response?.status ?? null,
    statusText: response?.statusText ?? null,
    handlerId: entry?.id ?? null,
    nearest: nearest().map(({ entry: near, difference }) => ({
      handlerId: near.id,
      header: near.handler.info.header,
      difference,
    })),
  }
}

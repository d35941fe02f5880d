import type { AppliedOverride, Override } from '../core/handlers/override.ts'
import type { Decision } from '../core/network/outcome.ts'
import type { RequestProgress } from '../core/network/request-progress.ts'
import type { ErrorText } from '../core/network/thrown-error.ts'
import { FailedRequests, type FailedRequest } from './failed-requests.ts'
import { readGraphqlErrors } from './graphql-errors.ts'

/** A handler that took part in a request. It may have been removed since. */
export interface LoggedHandler {
  /** See `InspectedHandler.id`. */
  readonly id: number
  /** `GET /user/:id` */
  readonly header: string
}

/** The override of a response. The texts of headers and body are part of the response. */
export interface ForcedResponse extends Omit<Override, 'headers' | 'body' | 'bodyEncoding'> {
  /** Whether headers or the body were replaced. Default: `false`. */
  readonly isEdited?: boolean
}

/** A request, as plain data. */
export interface LoggedRequest {
  /** As in life-cycle events. */
  readonly id: string
  readonly method: string
  readonly url: string
  /** The protocol's name for it: `query GetUser`. */
  readonly name: string | null
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Milliseconds from the start until the last handler that matched was found; `null` while no handler has matched. */
  readonly matchedAfter: number | null
  /** Milliseconds from the start until the decision; `null` while the request is pending. */
  readonly duration: number | null
  /** Milliseconds from the start until the headers of the network's response arrived; `null` without such a response. */
  readonly respondedAfter: number | null
  /** `'pending'` until the decision. */
  readonly outcome: 'pending' | 'mocked' | 'network-error' | 'passthrough' | 'unhandled'
  /** From the mocked response, or from the network's response while responses are kept. */
  readonly status: number | null
  readonly statusText: string | null
  /** The messages of the errors in a GraphQL response, at most 10. Missing: none, or bodies are not kept. */
  readonly graphqlErrors?: readonly string[]
  /**
   * For an operation of a batch that no handler matched, while handlers answered others: the id of the batch. The
   * operation is in the log in addition to the batch.
   */
  readonly partOf?: string
  /** Whether it went to the network because of a recording. Missing: it did not. */
  readonly isRecorded?: boolean
  /** The error message, if it failed. */
  readonly error: string | null
  /** The error that the resolver threw, if it threw. The response then had the status 500. */
  readonly thrown: ErrorText | null
  /** The handler that decided, or that runs now. */
  readonly handler: LoggedHandler | null
  /** The override of that handler when it answered; `null` without an override. */
  readonly forced: ForcedResponse | null
  /** Handlers that matched and returned no response, in order. */
  readonly noResponse: readonly LoggedHandler[]
  /** If no handler matched and the request is not for an asset: the nearest handlers with the difference. */
  readonly nearest: readonly (LoggedHandler & { readonly difference: string })[]
  /** If no handler matched and the request is not for an asset: the code of a handler that would match. */
  readonly suggestion: string | null
}

/** Names and values of headers, in their order. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** The headers of a request, as plain data. */
export interface InspectedHeaders {
  readonly request: HeaderList
  /** From the mocked response, or from the network's response while responses are kept. */
  readonly response: HeaderList | null
}

interface LoggedHeaders {
  readonly request: Headers
  response: Headers | null
}

/** The last requests. */
export class RequestLog {
  readonly #limit: number
  readonly #forget: (id: string) => void
  /** In the order in which they started. A request keeps its place when it changes. */
  readonly #requests = new Map<string, LoggedRequest>()
  /** Converted to text on demand: most headers are never looked at. */
  readonly #headers = new Map<string, LoggedHeaders>()
  /** The requests that {@link fail} has changed, as they were before. */
  readonly #failed = new Map<string, { readonly before: LoggedRequest; readonly isCertain: boolean }>()
  readonly #failures = new FailedRequests()
  /** The requests whose responses may be opaque, or opaque redirects. Browsers hide the status of these. */
  readonly #opaque = new Set<string>()
  #list: readonly LoggedRequest[] | undefined

  /**
   * @param limit the number of requests that are kept
   * @param forget called with the id of each request that is removed because of the limit
   */
  constructor(limit: number, forget: (id: string) => void) {
    this.#limit = limit
    this.#forget = forget
  }

  /** The newest first. */
  get requests(): readonly LoggedRequest[] {
    return (this.#list ??= [...this.#requests.values()].toReversed())
  }

  /** Logs a request when it starts, and its steps until the decision. */
  follow(progress: RequestProgress): void {
    if (progress.type === 'worker') return
    const { type, requestId } = progress
    if (type === 'start') {
      const { request, startedAt } = progress
      this.#headers.set(requestId, { request: request.headers, response: null })
      const logged = { ...unknown, id: requestId, method: request.method, url: request.url, startedAt }
      this.#set(logged)
      if (request.mode === 'no-cors' || request.redirect === 'manual') this.#opaque.add(requestId)
      else if (this.#failures.hasFailed(logged.url, startedAt)) this.#setFailed(logged, false)
      return
    }
    const failed = this.#failed.get(requestId)
    if (failed && type !== 'abandon' && type !== 'response') return
    // A response of the network has arrived after all, or another request failed.
    const known = failed?.before ?? this.#requests.get(requestId)
    if (!known) return
    switch (type) {
      case 'match':
        this.#set({ ...known, matchedAfter: Date.now() - known.startedAt, handler: toLoggedHandler(progress.entry) })
        return
      case 'mismatch':
      case 'parts':
      case 'part':
      case 'parts-decided':
      case 'answer':
        return
      case 'no-response':
        this.#set({ ...known, handler: null, noResponse: [...known.noResponse, toLoggedHandler(progress.entry)] })
        return
      case 'throw':
        this.#set({ ...known, thrown: progress.error })
        return
      case 'response': {
        const { status, statusText, headers } = progress.response
        const logged = this.#headers.get(requestId)
        if (logged) logged.response = headers
        this.#failed.delete(requestId)
        this.#set({ ...known, status, statusText, respondedAfter: Date.now() - known.startedAt })
        return
      }
      case 'abandon':
        this.#requests.delete(requestId)
        this.#headers.delete(requestId)
        this.#failed.delete(requestId)
        this.#opaque.delete(requestId)
        this.#list = undefined
        this.#forget(requestId)
    }
  }

  /**
   * Logs that the page aborted a request, or that the network failed it.
   *
   * @returns whether the log contains the request. The page may have several networks, and requests that none of them gets
   */
  fail(failed: FailedRequest): boolean {
    const known = this.requests.filter(({ id }) => !this.#opaque.has(id))
    const [request, ...others] = this.#failures.find(failed, known)
    // If other requests for the same URL are open, it may be one of them.
    if (request) this.#setFailed(request, others.length === 0)
    return request !== undefined
  }

  #setFailed(before: LoggedRequest, isCertain: boolean): void {
    const isPending = before.outcome === 'pending'
    this.#failed.set(before.id, { before, isCertain })
    this.#set({
      ...before,
      outcome: 'network-error',
      duration: before.duration ?? Date.now() - before.startedAt,
      // No handler chose this error.
      handler: null,
      error: isPending
        ? 'The page aborted the request before a handler answered.'
        : 'The page aborted the request, or the network did not answer. In the second case, the console of the page has an error.',
    })
  }

  /** @param more what the decision does not contain */
  decide(decision: Decision, more: Pick<LoggedRequest, 'isRecorded' | 'partOf'>): void {
    const { request, requestId, outcome } = decision
    // The client never gets the response to a request that it has aborted.
    const failed = this.#failed.get(requestId)
    if (failed?.isCertain) return
    this.#failed.delete(requestId)
    const response = outcome.type === 'mocked' ? outcome.response.headers : null
    this.#headers.set(requestId, { request: request.headers, response })
    this.#set({ ...toLoggedRequest(decision, failed?.before ?? this.#requests.get(requestId)), ...more })
  }

  /** @param readText reads the body of the response, which has arrived */
  endResponse(id: string, readText: () => string | null): void {
    const known = this.#requests.get(id)
    if (!known?.name || !/^(?:query|mutation|subscription|batch|an anonymous)\b/.test(known.name)) return
    const graphqlErrors = readGraphqlErrors(readText() ?? '')
    if (graphqlErrors.length > 0) this.#set({ ...known, graphqlErrors })
  }

  headers(id: string): InspectedHeaders | null {
    const known = this.#headers.get(id)
    return known ? { request: [...known.request], response: known.response ? [...known.response] : null } : null
  }

  clear(): void {
    for (const id of this.#requests.keys()) this.#forget(id)
    this.#requests.clear()
    this.#headers.clear()
    this.#failed.clear()
    this.#opaque.clear()
    this.#list = undefined
  }

  #set(request: LoggedRequest): void {
    this.#requests.set(request.id, request)
    this.#list = undefined
    if (this.#requests.size <= this.#limit) return
    const [oldest] = this.#requests.keys()
    if (oldest === undefined) return
    this.#requests.delete(oldest)
    this.#headers.delete(oldest)
    this.#failed.delete(oldest)
    this.#opaque.delete(oldest)
    this.#forget(oldest)
  }
}

/** The values that are unknown when a request starts. */
const unknown = {
  name: null,
  matchedAfter: null,
  duration: null,
  respondedAfter: null,
  outcome: 'pending',
  status: null,
  statusText: null,
  error: null,
  thrown: null,
  handler: null,
  forced: null,
  noResponse: [],
  nearest: [],
  suggestion: null,
} as const satisfies Partial<LoggedRequest>

function toLoggedRequest(decision: Decision, pending: LoggedRequest | undefined): LoggedRequest {
  const { request, requestId, outcome, entry, name, startedAt, duration } = decision
  const response = outcome.type === 'mocked' ? outcome.response : null
  return {
    ...(pending ?? unknown),
    id: requestId,
    method: request.method,
    url: request.url,
    name: name ?? null,
    startedAt,
    duration,
    outcome: outcome.type,
    status: response?.status ?? null,
    statusText: response?.statusText ?? null,
    error: outcome.type === 'network-error' ? messageOf(outcome.error) : null,
    handler: entry ? toLoggedHandler(entry) : null,
    forced: entry?.override ? toForcedResponse(entry.override) : null,
    nearest: decision.nearest().map(({ entry: near, difference }) => ({ ...toLoggedHandler(near), difference })),
    suggestion: decision.suggestion() ?? null,
  }
}

function toForcedResponse(override: AppliedOverride): ForcedResponse {
  const { headers, body, bodyEncoding: _encoding, apply: _, ...forced } = override
  return { ...forced, ...((headers !== undefined || body !== undefined) && { isEdited: true }) }
}

function toLoggedHandler({ id, handler }: NonNullable<Decision['entry']>): LoggedHandler {
  return { id, header: handler.info.header }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

import { ClientAbort, couldAnswer, createAbortController, type Network } from '@understudy/engine/internal/page'

import { isLate } from './late-requests.ts'
import { firstRunBeganAt, liveRuns, type StoryRun } from './story-run.ts'
import { noteRequest } from './undecided-requests.ts'

/** The abort reason of a request whose story has ended. */
class StoryEnded extends ClientAbort {
  constructor() {
    super('The story that made this request has ended.')
  }
}

/** A request that ends when all stories have ended that were rendered when it was made. */
interface Pending {
  readonly runs: Set<StoryRun>
  readonly end: () => void
}

const pending = new Set<Pending>()

/** Ends the requests from stories that have ended. */
export function endRequestsOf(run: StoryRun, network: Network): void {
  // A request from before the oldest remaining story does not belong to any of the remaining stories. A late request
  // may belong to another story.
  const oldest = Math.min(...Array.from(liveRuns(), ({ beganAt }) => beganAt))
  network.abortRequests(createReason(), (cameAt) => cameAt >= firstRunBeganAt() && cameAt < oldest)
  // Do this last, because the network notifies listeners of each aborted request.
  for (const request of pending) {
    if (!request.runs.delete(run) || request.runs.size > 0) continue
    pending.delete(request)
    request.end()
  }
}

/** Starts to track a request. Returns `undefined` if there is no story, or if no handler could answer. */
function track(network: Network, method: string, url: string, end: () => void): (() => void) | undefined {
  const runs = new Set(liveRuns())
  if (runs.size === 0 || !URL.canParse(url, document.baseURI)) return undefined
  if (!couldAnswer(network, method.toUpperCase(), new URL(url, document.baseURI))) return undefined
  const tracked: Pending = { runs, end }
  pending.add(tracked)
  return () => pending.delete(tracked)
}

function isOfEndedStory(method: string, url: string): boolean {
  return URL.canParse(url, document.baseURI) && isLate(method, new URL(url, document.baseURI))
}

/** Fails a request that no handler matches if it belongs to a story that has ended, such as that of an image. */
export function failIfLate({ method, url }: Request): void {
  if (isLate(method, new URL(url))) throw createReason()
}

/** Creates a `fetch` whose mocked requests are aborted when their story ends. */
export function createTrackedFetch(network: Network, native: typeof fetch): typeof fetch {
  return function fetch(this: unknown, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const isRequest = input instanceof Request
    const method = init?.method ?? (isRequest ? input.method : 'GET')
    const url = isRequest ? input.url : String(input)
    if (isOfEndedStory(method, url)) return Promise.reject(createReason())
    const settle = noteRequest(method, url)
    const perform = (given: RequestInit | undefined): Promise<Response> => {
      const response = Reflect.apply(native, undefined, [input, given])
      if (settle) void response.then(settle, settle)
      return response
    }
    const ending = createAbortController()
    const forget = track(network, method, url, () => ending.abort(createReason()))
    if (!forget) return perform(init)
    const own = init?.signal ?? (isRequest ? input.signal : undefined)
    return perform({ ...init, signal: own ? join(own, ending) : ending.signal }).finally(forget)
  }
}

/** Returns a signal that the app aborts, or the end of the story. */
function join(own: AbortSignal, ending: AbortController): AbortSignal {
  if (ending.signal instanceof AbortSignal) return AbortSignal.any([own, ending.signal])
  // In jsdom, the global class is not the one that `fetch` accepts.
  if (own.aborted) ending.abort(own.reason)
  else own.addEventListener('abort', () => ending.abort(own.reason), { once: true })
  return ending.signal
}

/** Creates an `XMLHttpRequest` whose mocked requests are aborted when their story ends. */
export function createTrackedXMLHttpRequest(network: Network, Native: typeof XMLHttpRequest): typeof XMLHttpRequest {
  return class XMLHttpRequest extends Native {
    #method = 'GET'
    #url = ''
    /** Ends the wait for the request under way. */
    #settle = nothing

    override open(
      method: string,
      url: string | URL,
      isAsync: boolean = true,
      username?: string | null,
      password?: string | null,
    ): void {
      const [oldMethod, oldUrl, settle] = [this.#method, this.#url, this.#settle]
      this.#method = method
      this.#url = String(url)
      this.#settle = nothing
      try {
        super.open(method, url, isAsync, username, password)
      } catch (error) {
        this.#method = oldMethod
        this.#url = oldUrl
        this.#settle = settle
        throw error
      }
      // A request under way has ended, without the event `loadend`.
      settle()
    }

    override send(body?: Document | XMLHttpRequestBodyInit | null): void {
      if (this.readyState === Native.OPENED && isOfEndedStory(this.#method, this.#url)) {
        for (const type of ['abort', 'loadend']) this.dispatchEvent(new ProgressEvent(type))
        return
      }
      const settled = new AbortController()
      const ends = [track(network, this.#method, this.#url, () => this.abort()), noteRequest(this.#method, this.#url)]
      const settle = (): void => {
        settled.abort()
        for (const end of ends) end?.()
      }
      if (ends.some(Boolean)) this.addEventListener('loadend', settle, { once: true, signal: settled.signal })
      const before = this.#settle
      this.#settle = settle
      try {
        super.send(body)
      } catch (error) {
        // There is no event `loadend`: the object is not opened, or its request is under way, or a synchronous one failed.
        settle()
        this.#settle = before
        throw error
      }
    }
  }
}

const nothing = (): void => {}

let isQuiet = false

function createReason(): StoryEnded {
  // The error is uncaught only because the story has ended, so it needs no fix.
  if (!isQuiet) globalThis.addEventListener?.('unhandledrejection', keepQuiet, { capture: true })
  isQuiet = true
  return new StoryEnded()
}

function keepQuiet(event: PromiseRejectionEvent): void {
  if (!(event.reason instanceof StoryEnded)) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

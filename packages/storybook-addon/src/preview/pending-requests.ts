import { GivenUp, type Network } from '@understudy/engine/bootstrap'

import { firstRunBeganAt, liveRuns, type StoryRun } from './story-run.ts'

/** Why a request of a story that has ended fails: nobody is left to hear of it. */
class StoryEnded extends GivenUp {
  constructor() {
    super('The story that made this request has ended.')
  }
}

/** Ends when all the stories have ended that were there when a request was made. */
interface Pending {
  readonly runs: Set<StoryRun>
  readonly end: () => void
}

const pending = new Set<Pending>()

/** Ends the requests that nobody waits for any more. */
export function endRequestsOf(run: StoryRun, network: Network): void {
  for (const request of pending) {
    if (!request.runs.delete(run) || request.runs.size > 0) continue
    pending.delete(request)
    request.end()
  }
  // What came before the oldest story that is left is of none of them. What came late counts as another story's.
  const oldest = Math.min(...Array.from(liveRuns(), ({ beganAt }) => beganAt))
  network.giveUp(createReason(), (cameAt) => cameAt >= firstRunBeganAt() && cameAt < oldest)
}

/** Begins to track a request; nothing, where no story is there, or no handler could answer. */
function track(network: Network, method: string, url: string, end: () => void): (() => void) | undefined {
  const runs = new Set(liveRuns())
  if (runs.size === 0 || !URL.canParse(url, document.baseURI)) return undefined
  const request = { method: method.toUpperCase(), url: new URL(url, document.baseURI), baseUrl: network.baseUrl }
  if (!network.layers.couldAnswer(request)) return undefined
  const tracked: Pending = { runs, end }
  pending.add(tracked)
  return () => pending.delete(tracked)
}

/**
 * A `fetch` whose mocked requests end with their story.
 *
 * @param withSignal whether the request itself is aborted; else, only the wait for it ends
 */
export function createTrackedFetch(network: Network, native: typeof fetch, withSignal: boolean): typeof fetch {
  return function fetch(this: unknown, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const perform = (otherInit = init): Promise<Response> => Reflect.apply(native, undefined, [input, otherInit])
    const isRequest = input instanceof Request
    const controller = new AbortController()
    const forget = track(
      network,
      init?.method ?? (isRequest ? input.method : 'GET'),
      isRequest ? input.url : String(input),
      () => controller.abort(createReason()),
    )
    if (!forget) return perform()
    const { signal } = controller
    if (withSignal) {
      const own = init?.signal ?? (isRequest ? input.signal : undefined)
      return perform({ ...init, signal: own ? AbortSignal.any([own, signal]) : signal }).finally(forget)
    }
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as StoryEnded), { once: true })
      perform().finally(forget).then(resolve, reject)
    })
  }
}

/** An `XMLHttpRequest` whose mocked requests end with their story. */
export function createTrackedXMLHttpRequest(network: Network, Native: typeof XMLHttpRequest): typeof XMLHttpRequest {
  return class XMLHttpRequest extends Native {
    #method = 'GET'
    #url = ''

    override open(
      method: string,
      url: string | URL,
      isAsync: boolean = true,
      username?: string | null,
      password?: string | null,
    ): void {
      this.#method = method
      this.#url = String(url)
      super.open(method, url, isAsync, username, password)
    }

    override send(body?: Document | XMLHttpRequestBodyInit | null): void {
      const forget = track(network, this.#method, this.#url, () => this.abort())
      if (forget) this.addEventListener('loadend', forget, { once: true })
      super.send(body)
    }
  }
}

let isQuiet = false

function createReason(): StoryEnded {
  // Code that does not catch has nothing to mend: its story is gone.
  if (!isQuiet) globalThis.addEventListener?.('unhandledrejection', keepQuiet, { capture: true })
  isQuiet = true
  return new StoryEnded()
}

function keepQuiet(event: PromiseRejectionEvent): void {
  if (!(event.reason instanceof StoryEnded)) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

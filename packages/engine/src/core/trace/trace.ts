import { formatCallSite } from '../call-site.ts'
import type { LayerEntry } from '../handlers/handler-layers.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import type { Network, TakenConnection } from '../network/network.ts'
import type { Decision } from '../network/outcome.ts'
import type { RequestProgress } from '../network/request-progress.ts'
import { isBypassed } from '../responses/bypass-marks.ts'
import { explainMismatch } from '../unhandled/explain-mismatch.ts'

/** What a network reports about a request. */
export type Step = RequestProgress | Decision

export interface TraceOptions {
  /** Prints a line. */
  readonly print: (line: string) => void
  /** Where a source without a service worker gets requests: `'in Node'`. */
  readonly source: string
  /**
   * Returns when the gate started to hold a request that it has released, by `performance.now()`.
   * Each request is returned once.
   */
  readonly takeHeld?: (url: string) => number | undefined
}

/** Prints one line for each step of each request of a network. */
export class Trace {
  readonly #network: Network
  readonly #options: TraceOptions
  /** The start of each request in progress, by `performance.now()`. */
  readonly #starts = new Map<string, number>()
  /** The service worker's report about the request that starts next. */
  #worker: Extract<Step, { type: 'worker' }> | undefined

  constructor(network: Network, options: TraceOptions) {
    this.#network = network
    this.#options = options
  }

  /** @param now the time of the step, by `performance.now()` */
  take(step: Step, now: number = performance.now()): void {
    if (!('type' in step)) {
      this.#line(step.requestId, now, step.outcome.type, this.#describeDecision(step))
      if (!step.entry) {
        for (const { entry, difference } of step.nearest())
          this.#line(step.requestId, now, 'nearest', `${this.#name(entry)}: ${difference}`)
      }
      this.#starts.delete(step.requestId)
      return
    }
    switch (step.type) {
      case 'worker':
        this.#worker = step
        return
      case 'start':
        this.#start(step.requestId, step.request, now)
        return
      case 'mismatch': {
        const mismatch = step.entry.handler.explainMismatch(step.incoming, explainMismatch)
        const unlike = 'it does not answer this request'
        const reason = mismatch === 'matches' ? 'its predicate returned false' : (mismatch?.difference ?? unlike)
        this.#line(step.requestId, now, 'handler', `${this.#name(step.entry)}: no match, because ${reason}`)
        return
      }
      case 'match': {
        const { override } = step.entry
        const forced = override ? `. The panel forces ${JSON.stringify(override)}` : ''
        this.#line(step.requestId, now, 'handler', `${this.#name(step.entry)}: match, runs its resolver${forced}`)
        return
      }
      case 'no-response':
        this.#line(
          step.requestId,
          now,
          'resolver',
          `${step.entry.handler.info.header}: no response, asks the next handler`,
        )
        return
      case 'throw':
        this.#line(step.requestId, now, 'resolver', `threw ${step.error.name}: ${step.error.message}`)
        return
      case 'parts':
      case 'part':
      case 'parts-decided':
      case 'answer':
        // The decision follows.
        return
      case 'abandon':
        this.#line(step.requestId, now, 'abandoned', 'the handlers were removed before they answered')
        this.#starts.delete(step.requestId)
        return
      case 'response': {
        const { status, statusText } = step.response
        this.#line(step.requestId, now, 'network', `answered ${status} ${statusText}`.trimEnd())
      }
    }
  }

  /** Prints the connection, and its end. */
  takeConnection({ url, handlers, socket }: TakenConnection): void {
    const id = `ws-${(lastConnection += 1)}`
    this.#starts.set(id, performance.now())
    const names = handlers.map(({ info }) => info.header + placeOf(info.callSite)).join('; ')
    this.#line(id, performance.now(), 'connection', `WebSocket ${url.href}: taken by ${names}`)
    socket.addEventListener('open', () => this.#line(id, performance.now(), 'connection', 'open'))
    socket.addEventListener('close', ({ code, reason }) => {
      this.#line(id, performance.now(), 'connection', `closed with ${code} ${reason}`.trimEnd())
      this.#starts.delete(id)
    })
  }

  #start(id: string, { method, url }: Request, now: number): void {
    const worker = this.#worker
    this.#worker = undefined
    const heldAt = this.#options.takeHeld?.(url)
    this.#starts.set(id, heldAt ?? now)
    this.#line(id, heldAt ?? now, 'start', `${method} ${url}`)
    if (heldAt !== undefined) this.#line(id, now, 'gate', 'held the request until mocking was on, then released it')
    this.#line(id, now, 'source', worker ? describeWorker(worker) : this.#options.source)
  }

  /** `2 of 14, initial, GET /api/user (/src/handlers.ts:4:3)` */
  #name(entry: LayerEntry<RequestHandler>): string {
    const entries = this.#network.layers.entries()
    const place = entries.findIndex(({ id }) => id === entry.id) + 1
    const { header, callSite } = entry.handler.info
    // The handlers of a boundary that has ended are removed.
    const position = place === 0 ? 'removed' : `${place} of ${entries.length}`
    return `${position}, ${entry.layer}, ${header}${placeOf(callSite)}`
  }

  #describeDecision({ request, outcome, entry }: Decision): string {
    const by = entry ? `${entry.handler.info.header}${placeOf(entry.handler.info.callSite)}` : 'no handler'
    const count = this.#network.layers.entries().length
    switch (outcome.type) {
      case 'mocked':
        return `${outcome.response.status} ${outcome.response.statusText}`.trimEnd() + ` by ${by}`
      case 'network-error':
        if (request.signal.aborted) return 'the client aborted the request'
        if (outcome.isUnhandled) return `none of ${count} handlers matches, and onUnhandledRequest fails such requests`
        return `${messageOf(outcome.error)} (${by})`
      case 'passthrough':
        if (entry) return `${by} returned passthrough(): the request goes to the network`
        return isBypassed(request.headers)
          ? 'made with bypass(): the request goes to the network, and no handler is asked'
          : 'the request goes to the network'
      case 'unhandled':
        if (entry)
          return `handlers match, the last is ${by}, but none returned a response: the request goes to the network`
        return `none of ${count} handlers matches: the request goes to the network`
    }
  }

  #line(id: string, now: number, step: string, text: string): void {
    const since = Math.max(0, now - (this.#starts.get(id) ?? now))
    const { print } = this.#options
    // Messages of errors may have several lines, but each step is printed on one line.
    const line = text.replaceAll(/\s*\n\s*/g, ' ')
    print(`understudy ${id} ${`+${since.toFixed(1)} ms`.padEnd(10)} ${step.padEnd(13)} ${line}`)
  }
}

let lastConnection = 0

function describeWorker({ reason }: Extract<Step, { type: 'worker' }>): string {
  switch (reason) {
    case 'could-match':
      return 'service worker: by the route table, a handler could match. It asks the page'
    case 'observed':
      return 'service worker: by the route table, no handler could match, but a listener or the policy wants to decide. It asks the page'
    case 'left-alone':
      return 'service worker: by the route table, no handler could match. It left the request alone'
  }
}

function placeOf(callSite: Parameters<typeof formatCallSite>[0] | undefined): string {
  return callSite ? ` (${formatCallSite(callSite)})` : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

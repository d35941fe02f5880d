import { couldMatch, type MockingPage } from './connection.ts'
import type { Connections } from './connections.ts'
import { heardLimit } from './time-outs.ts'
import { matchWindows } from './windows.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * The pages that answer the requests from web workers and mocked documents: the page that created the worker or answered
 * with the document, if it is known.
 */
export class WorkerOwners {
  readonly #connections: Connections
  /** The client id of the page of each web worker, by the worker's client id or its `blob:` URL. */
  readonly #owners = new Map<string, string>()

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /**
   * Call this when a client has requested the script of a web worker. Its page remembers this, in case the service
   * worker is restarted.
   */
  add(workerId: string, creatorId: string): void {
    const owner = this.#owners.get(creatorId) ?? creatorId
    this.#owners.set(workerId, owner)
    this.#connections.get(owner)?.[0]?.send({ type: 'owns', clientId: workerId })
  }

  /** Adds the web workers that a page has remembered, or creates with `blob:` URLs. */
  restore(workerIds: readonly string[], clientId: string): void {
    for (const id of workerIds) this.#owners.set(id, clientId)
  }

  /** Returns the page of a web worker, if it is known. */
  get(workerId: string): string | undefined {
    return this.#owners.get(workerId)
  }

  /**
   * Finds the page that answers a request. If the web worker's page is unknown, any page whose handlers could match may
   * answer, starting with the one that was focused last. A page that does not respond is skipped if another one
   * responds.
   */
  async find(workerId: string, request: Request): Promise<MockingPage | 'unmocked' | 'gone'> {
    await this.#connections.restore()
    let awaited: readonly string[] = []
    for (;;) {
      const { isIncomplete } = this.#connections
      // A document waits for no page that starts: that may take forever, and only the console of that page says so.
      const starting = workerId ? this.#connections.starting : []
      const known = this.#owners.get(workerId)
      const isUnclear = isIncomplete || (known === undefined && this.#connections.all.length + starting.length > 1)
      const url = isUnclear && workerId ? await urlOf(workerId) : undefined
      const owner = known ?? this.#owners.get(url ?? '')
      if (owner) this.#owners.set(workerId, owner)
      const answerer = owner && (await this.#connections.find(owner))
      // Handlers of a page with another version must not answer for a page that is open.
      if (answerer === 'gone' && this.#connections.isRefused(owner as string)) return 'gone'
      // If it was closed, any other page that could match answers.
      if (answerer && answerer !== 'gone') return answerer === 'others' ? 'unmocked' : answerer
      // Its page may not have connected yet.
      const candidates = isIncomplete && url !== undefined ? [] : await this.#inOrderOfFocus(request)
      const page = await findResponsive(candidates)
      if (page) return page
      if (candidates.length > 0) continue
      if (!isIncomplete && starting.length === 0) {
        return answerer || (awaited.some((clientId) => this.#connections.getGone(clientId)) ? 'gone' : 'unmocked')
      }
      awaited = starting
      const isKnown = !this.#connections.isIncomplete && !starting.some((id) => this.#connections.isStarting(id))
      if (isKnown || this.#owners.get(workerId) !== owner) continue
      await this.#connections.newsOf('')
    }
  }

  async #inOrderOfFocus(request: Request): Promise<readonly MockingPage[]> {
    const clients = await matchWindows()
    const pages = clients.map(({ id }) => this.#connections.get(id))
    return pages.filter((page) => page !== undefined && couldMatch(page, request)) as MockingPage[]
  }
}

/**
 * Returns the URL of a web worker, if it is known. Chromium does not tell that of a nested one with a `blob:` URL. Firefox tells none while
 * a synchronous request blocks the web worker. Then any page may answer after a limit.
 */
async function urlOf(workerId: string): Promise<string | undefined> {
  const client = await Promise.race([self.clients.get(workerId), afterHeardLimit()])
  return client?.url
}

function afterHeardLimit(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, heardLimit)
  })
}

/** Returns the first of several pages that responds. A frozen page or one with a busy thread does not. */
async function findResponsive(pages: readonly MockingPage[]): Promise<MockingPage | undefined> {
  const [only] = pages
  if (pages.length < 2) return only
  const responses: Promise<MockingPage>[] = []
  for (const page of pages) {
    const response = untilResponsive(page)
    responses.push(response)
    const first = await Promise.race([response.catch(() => undefined), afterHeardLimit()])
    if (first) return first
  }
  return Promise.any(responses).catch(() => undefined)
}

async function untilResponsive(page: MockingPage): Promise<MockingPage> {
  if (!(await page[0]?.untilHeard())) throw new Error('gone')
  return page
}

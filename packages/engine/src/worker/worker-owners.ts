import { couldMatch, type Connections, type MockingPage } from './connections.ts'
import { heardLimit } from './time-outs.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * Who answers the requests of web workers and mocked documents: the page that created the worker or answered with the
 * document, where that is known.
 */
export class WorkerOwners {
  readonly #connections: Connections
  /** The page of each web worker, by their client ids. */
  readonly #owners = new Map<string, string>()

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** A client has requested the script of a web worker. Its page remembers that for the next life of this worker. */
  add(workerId: string, creatorId: string): void {
    const owner = this.#owners.get(creatorId) ?? creatorId
    this.#owners.set(workerId, owner)
    this.#connections.get(owner)?.[0]?.send({ type: 'owns', clientId: workerId })
  }

  /** A page says which web workers are its own. */
  restore(workerIds: readonly string[], clientId: string): void {
    for (const id of workerIds) this.#owners.set(id, clientId)
  }

  /** The page of a web worker, where that is known. */
  get(workerId: string): string | undefined {
    return this.#owners.get(workerId)
  }

  /**
   * Finds the page that answers a request. Where the web worker's page is unknown, that is any page whose handlers could
   * match: the one that was focused last first. One that does not respond is skipped while another one does.
   */
  async find(workerId: string, request: Request): Promise<MockingPage | 'unmocked' | 'gone'> {
    await this.#connections.restore()
    for (;;) {
      const owner = this.#owners.get(workerId)
      const answerer = owner === undefined ? undefined : await this.#connections.find(owner)
      // Where it has gone, any other page that could match answers.
      if (answerer && answerer !== 'gone') return answerer === 'others' ? 'unmocked' : answerer
      const { isIncomplete } = this.#connections
      // Its page may be among those that have not connected yet.
      const candidates = isIncomplete && (await hasScriptUrl(workerId)) ? [] : await this.#inOrderOfFocus(request)
      const page = await findResponsive(candidates)
      if (page) return page
      if (candidates.length > 0) continue
      if (!isIncomplete) return answerer ?? 'unmocked'
      if (!this.#connections.isIncomplete || this.#owners.get(workerId) !== owner) continue
      await this.#connections.newsOf('')
    }
  }

  async #inOrderOfFocus(request: Request): Promise<readonly MockingPage[]> {
    const clients = await self.clients.matchAll({ includeUncontrolled: true })
    const pages = clients.map(({ id }) => this.#connections.get(id))
    return pages.filter((page) => page !== undefined && couldMatch(page, request)) as MockingPage[]
  }
}

/** Whether a web worker was loaded by a request that this worker sees, and not from a `blob:` or `data:` URL. */
async function hasScriptUrl(workerId: string): Promise<boolean> {
  const client = workerId === '' ? undefined : await self.clients.get(workerId)
  return client?.url.startsWith('http') ?? false
}

/** The first of several pages that responds: a frozen one does not, nor one whose thread is busy. */
async function findResponsive(pages: readonly MockingPage[]): Promise<MockingPage | undefined> {
  const [only] = pages
  if (pages.length < 2) return only
  const responses: Promise<MockingPage>[] = []
  for (const page of pages) {
    const response = untilResponsive(page)
    responses.push(response)
    const limit = new Promise<undefined>((resolve) => setTimeout(resolve, heardLimit))
    const first = await Promise.race([response.catch(() => undefined), limit])
    if (first) return first
  }
  return Promise.any(responses).catch(() => undefined)
}

async function untilResponsive(page: MockingPage): Promise<MockingPage> {
  if (!(await page[0]?.untilHeard())) throw new Error('The page has gone.')
  return page
}

import { Connection } from './connection.ts'
import type { ReconnectMessage, SettingAnswer, TableMessage } from './protocol.ts'
import { isTable } from './table.ts'

declare const self: ServiceWorkerGlobalScope

/** How long a request waits for a page that is loading, or for one to reconnect. */
const patience = 3000

/** How long a changed table may go unstored: a page that reconnects tells it anew. */
const storeDelay = 1000

/** The pages that asked for mocking. The browser may end the worker at any time: what it must remember is stored. */
export class Connections {
  readonly #connections = new Map<string, Connection>()
  /** Pages that began to load under this worker and have not spoken yet. */
  readonly #loading = new Set<string>()
  readonly #waiting = new Map<string, Set<() => void>>()
  #writing: Promise<unknown> = Promise.resolve()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Ends when what an earlier life of the worker stored is read. */
  readonly restored: Promise<void>
  #isRestored = false

  constructor() {
    this.restored = this.#restore().finally(() => {
      this.#isRestored = true
    })
  }

  get isRestored(): boolean {
    return this.#isRestored
  }

  get isEmpty(): boolean {
    return this.#connections.size === 0
  }

  connect(clientId: string, table: TableMessage, port: MessagePort): Connection {
    const connection = new Connection(port)
    connection.table.set(table)
    this.#connections.set(clientId, connection)
    this.#settle(clientId)
    return connection
  }

  setTable(clientId: string, table: TableMessage): SettingAnswer {
    const answer = this.#connections.get(clientId)?.table.set(table) ?? { isIncomplete: true }
    if (!answer.isIncomplete) this.#storeSoon()
    return answer
  }

  disconnect(clientId: string): void {
    this.#connections.delete(clientId)
    this.#settle(clientId)
  }

  get(clientId: string): Connection | undefined {
    return this.#connections.get(clientId)
  }

  beginLoading(clientId: string): void {
    this.#loading.add(clientId)
  }

  isLoading(clientId: string): boolean {
    return this.#loading.has(clientId)
  }

  /** Whether any page's handlers could match: what a page that is loading will likely mock too. */
  couldAnyMatch(request: Request): boolean {
    return [...this.#connections.values()].some((connection) => connection.table.couldMatch(request))
  }

  /** Waits until a page that is loading has connected. Returns nothing where it does not in time. */
  async arrival(clientId: string): Promise<Connection | undefined> {
    await this.#turnOf(clientId)
    this.#loading.delete(clientId)
    return this.#connections.get(clientId)
  }

  /**
   * The connection of a page that can be asked. One that an earlier life of the worker had is made anew.
   * Returns nothing where the page wants no mocking any more, or does not answer in time.
   */
  async reach(clientId: string): Promise<Connection | undefined> {
    const connection = this.#connections.get(clientId)
    if (!connection || connection.isOpen) return connection
    const message: ReconnectMessage = { type: 'understudy:reconnect' }
    // Whoever waits for the page already has asked it.
    if (!this.#waiting.has(clientId)) void self.clients.get(clientId).then((client) => client?.postMessage(message))
    await this.#turnOf(clientId)
    const reopened = this.#connections.get(clientId)
    return reopened?.isOpen ? reopened : undefined
  }

  /** A page that could match a request of nobody in particular. */
  async reachAny(request: Request): Promise<Connection | undefined> {
    for (const [clientId, connection] of this.#connections) {
      // A page that has gone does not say so.
      if (connection.table.couldMatch(request) && (await self.clients.get(clientId))) return this.reach(clientId)
    }
    return undefined
  }

  /** Whether none of the pages that asked for mocking is open any more. */
  async areAllGone(): Promise<boolean> {
    const clients = await self.clients.matchAll({ includeUncontrolled: true })
    return !clients.some((client) => this.#connections.has(client.id))
  }

  #turnOf(clientId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(clientId) ?? new Set()
      this.#waiting.set(clientId, waiting.add(resolve))
      setTimeout(resolve, patience)
    })
  }

  /** Resumes what waits for a page, and stores what is known now. */
  #settle(clientId: string): void {
    this.#loading.delete(clientId)
    for (const resume of this.#waiting.get(clientId) ?? []) resume()
    this.#waiting.delete(clientId)
    this.#store()
  }

  // Cache Storage is shared by the whole origin: the scope keeps workers apart.
  get #cacheName(): string {
    return `understudy:${self.registration.scope}`
  }

  async #restore(): Promise<void> {
    try {
      const cache = await caches.open(this.#cacheName)
      const stored: unknown = await (await cache.match('/tables'))?.json()
      if (!Array.isArray(stored)) return
      for (const [clientId, table] of stored as [unknown, unknown][]) {
        if (typeof clientId === 'string' && isTable(table) && !this.#connections.has(clientId)) {
          const connection = new Connection()
          if (!connection.table.set(table).isIncomplete) this.#connections.set(clientId, connection)
        }
      }
    } catch {
      // Without storage (a private window, a full disk) pages connect anew at their next load.
    }
  }

  /** Tests change handlers all the time: a write for each change would cost more than all else. */
  #storeSoon(): void {
    this.#timer ??= setTimeout(() => this.#store(), storeDelay)
  }

  /** Writes one after the other, so that the last state is what stays. */
  #store(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(async () => {
      try {
        const clients = await self.clients.matchAll({ includeUncontrolled: true })
        const alive = new Set(clients.map((client) => client.id))
        for (const clientId of this.#connections.keys()) {
          if (!alive.has(clientId)) this.#connections.delete(clientId)
        }
        const tables = Array.from(this.#connections, ([clientId, { table }]) => [clientId, table.toMessage()])
        const cache = await caches.open(this.#cacheName)
        await cache.put('/tables', new Response(JSON.stringify(tables)))
      } catch {
        // As above.
      }
    })
  }
}

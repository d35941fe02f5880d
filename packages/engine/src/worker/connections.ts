import type { Connection } from './connection.ts'
import { HeldLocks } from './held-locks.ts'
import { News } from './news.ts'
import { mockingLock, startingLock, type ReconnectMessage } from './protocol.ts'
import { firstScriptLimit, frameScriptLimit, watchInterval } from './time-outs.ts'

declare const self: ServiceWorkerGlobalScope

/** The engines of a page that mocks. There is at least one. */
export type MockingPage = readonly Connection[]

/**
 * What is known of a page that has not connected.
 *
 * - `'loading'`: it was navigated to, and none of its scripts has sent a message.
 * - `'announced'`: its first script has said that mocking will start. A page that is busy gets its lock later.
 * - `'starting'`: its lock says the same to a new life of this worker.
 * - `'mocking'`: it mocks. An earlier life of this worker was connected to it.
 * - `'left'`: it mocked until it was unloaded, or entered the back/forward cache.
 */
type Expectation = 'loading' | 'announced' | 'starting' | 'mocking' | 'left'

/**
 * Who answers the requests of a client.
 *
 * - `'unmocked'`: the client does not mock.
 * - `'gone'`: its page mocked and does not exist any more.
 * - `'others'`: the client has no handlers of its own (a web worker, a frame, or one that the platform does not tell).
 */
export type Answerer = MockingPage | 'unmocked' | 'gone' | 'others'

/** How many pages that have gone are remembered: the requests of their last moments arrive late. */
const goneLimit = 20

/**
 * The pages under this worker, and what is known of each.
 *
 * An unknown page is not taken for one that does not mock. The browser may end the worker at any time, and the worker
 * stores nothing. The Web Locks that pages hold tell its next life which pages to ask.
 */
export class Connections {
  readonly #pages = new Map<string, MockingPage>()
  readonly #expected = new Map<string, Expectation>()
  readonly #unmocked = new Set<string>()
  /** Frames and pop-ups that load, by their navigations. */
  readonly #frames = new Set<string>()
  /** Those of them that do not mock. */
  readonly #withoutHandlers = new Set<string>()
  /** What pages that have gone mocked. Empty where that is not known. */
  readonly #gone = new Map<string, MockingPage>()
  /** Connections that were ended or replaced. Their pages may still owe answers. */
  readonly #retired = new Set<Connection>()
  readonly #news = new News()
  readonly #locks = new HeldLocks()
  #restoring: Promise<void> | undefined
  #watch: ReturnType<typeof setInterval> | undefined

  connect(connection: Connection): void {
    const { clientId, engine } = connection
    this.#retire(clientId, engine)
    this.#pages.set(clientId, [...(this.#pages.get(clientId) ?? []), connection])
    this.#unmocked.delete(clientId)
    this.#gone.delete(clientId)
    const isAwaited = this.#expected.get(clientId) === 'mocking'
    this.#expected.set(clientId, 'mocking')
    void this.#awaitOthers(clientId, isAwaited)
  }

  disconnect(clientId: string, engine: string): void {
    this.#retire(clientId, engine)
    this.endStart(clientId)
  }

  /**
   * A page is navigated to. Its first requests may come before its first script runs.
   *
   * @param isFrame whether it belongs to another page, as a frame or a pop-up
   */
  beginLoading(clientId: string, isFrame: boolean): void {
    this.#expected.set(clientId, 'loading')
    if (isFrame) this.#frames.add(clientId)
  }

  /** A frame or a pop-up that loads does not mock: its document was mocked, or its own script has made a request first. */
  endFrameLoading(clientId: string): void {
    if (this.#frames.has(clientId)) this.#endLoading(clientId)
  }

  /** A handler has answered with the document of a page, so it has no gate. */
  noteMockedDocument(clientId: string): void {
    this.#frames.add(clientId)
    this.#endLoading(clientId)
  }

  /** The first script of a page says that mocking will start, by a message or by its lock. */
  beginStart(clientId: string, expectation: 'announced' | 'starting'): void {
    if (this.#pages.has(clientId)) return
    this.#unmocked.delete(clientId)
    this.#withoutHandlers.delete(clientId)
    this.#expected.set(clientId, expectation)
    this.#news.tell(clientId)
  }

  /** The start of a page has ended. Where it has not connected until now, it does not mock. */
  endStart(clientId: string): void {
    if (!this.#pages.has(clientId)) this.#unmocked.add(clientId)
    this.#expected.delete(clientId)
    this.#news.tell(clientId)
  }

  /** No page that loads now will mock. */
  endLoading(): void {
    for (const clientId of this.#expected.keys()) this.#endLoading(clientId)
  }

  /** The page is unloaded, or enters the back/forward cache, from which it returns by connecting. */
  leave(clientId: string): void {
    const page = this.#pages.get(clientId)
    if (!page && !this.isStarting(clientId) && this.#expected.get(clientId) !== 'mocking') return
    this.#remember(clientId)
    this.#expected.set(clientId, 'left')
    for (const connection of this.#retired) if (connection.clientId === clientId) connection.close()
  }

  get(clientId: string): MockingPage | undefined {
    return this.#pages.get(clientId)
  }

  /** The same, but `undefined` where engines of the page have not connected to this life of the worker. */
  getComplete(clientId: string): MockingPage | undefined {
    return this.#expected.has(clientId) ? undefined : this.#pages.get(clientId)
  }

  /** What a page mocked that has gone. */
  getGone(clientId: string): MockingPage | undefined {
    return this.#gone.get(clientId)
  }

  get all(): readonly MockingPage[] {
    return [...this.#pages.values()]
  }

  isUnmocked(clientId: string): boolean {
    return this.#unmocked.has(clientId)
  }

  isLoading(clientId: string): boolean {
    return this.#expected.get(clientId) === 'loading'
  }

  isStarting(clientId: string): boolean {
    return ['announced', 'starting'].includes(this.#expected.get(clientId) ?? '')
  }

  /** Whether pages mock that have not connected to this life of the worker. */
  get isIncomplete(): boolean {
    return !this.#restoring || [...this.#expected.values()].includes('mocking')
  }

  /** Whether handlers of any page could match, those of pages that have just gone included. */
  couldAnyMatch(request: Request): boolean {
    return [...this.#pages.values(), ...this.#gone.values()].some((page) => couldMatch(page, request))
  }

  /**
   * Finds who answers for a client. Waits where that is unknown, as long as its page exists.
   *
   * @param isNeeded whether the page may need the request to start, and waits for it
   */
  async find(clientId: string, isNeeded = false): Promise<Answerer> {
    if (clientId === '') return 'others'
    for (;;) {
      const page = this.getComplete(clientId)
      if (page) return page
      if (this.#unmocked.has(clientId)) return 'unmocked'
      if (this.#withoutHandlers.has(clientId)) return 'others'
      const expectation = this.#expected.get(clientId)
      if (expectation) {
        if (isNeeded && expectation !== 'mocking') return 'unmocked'
        if (expectation === 'loading') void this.#limitLoading(clientId)
        await this.newsOf(clientId)
        // Its handlers are unknown, and a request from before it stopped may be one that they answer.
        if (expectation === 'mocking' && this.#unmocked.has(clientId)) return 'gone'
        continue
      }
      if (this.#gone.has(clientId)) {
        // It may have come back from the back/forward cache, and be about to connect.
        if (!(await self.clients.get(clientId))) return 'gone'
        if (this.#gone.has(clientId)) this.#expected.set(clientId, 'left')
        continue
      }
      await this.restore()
      if (this.#pages.has(clientId) || this.#expected.has(clientId)) continue
      const client = await self.clients.get(clientId)
      if (client?.type !== 'window') return 'others'
      const locks = await this.#locks.read()
      if (!locks) this.#expectReconnection(client, 'loading')
      else if (locks.includes(mockingLock(clientId))) this.#expectReconnection(client, 'mocking')
      else if (locks.includes(startingLock(clientId))) this.beginStart(clientId, 'starting')
      else if (isOfPage(client)) return 'others'
      else if (!this.#expected.has(clientId)) this.endStart(clientId)
    }
  }

  /** Has all pages connect that were connected to an earlier life of the worker. */
  restore(): Promise<void> {
    this.#restoring ??= (async () => {
      const [clients, locks] = await Promise.all([matchClients('window'), this.#locks.read()])
      for (const client of clients) {
        if (locks?.includes(mockingLock(client.id))) this.#expectReconnection(client, 'mocking')
      }
    })()
    return this.#restoring
  }

  /** Whether no page mocks, or is about to. */
  async areAllGone(): Promise<boolean> {
    const [clients, locks] = await Promise.all([matchClients('window'), this.#locks.read()])
    return !clients.some(
      ({ id }) =>
        this.#pages.has(id) ||
        this.isStarting(id) ||
        locks?.includes(mockingLock(id)) ||
        locks?.includes(startingLock(id)),
    )
  }

  /** Waits for news of a client, and for its end. Without a client id: for news of any. */
  newsOf(clientId: string): Promise<void> {
    this.watch()
    return this.#news.of(clientId)
  }

  /** Looks, for as long as there are answers to come, whether the pages that owe them exist. */
  watch(): void {
    this.#watch ??= setInterval(() => void this.#look(), watchInterval)
  }

  async #look(): Promise<void> {
    for (const connection of this.#retired) if (!connection.isAsked) this.#retired.delete(connection)
    const isAsked = this.all.some((page) => page.some((connection) => connection.isAsked))
    if (!this.#news.isAwaited && this.#retired.size === 0 && !isAsked) {
      clearInterval(this.#watch)
      this.#watch = undefined
      return
    }
    const [clients, locks] = await Promise.all([matchClients('window'), this.#locks.read()])
    const alive = new Set(clients.map(({ id }) => id))
    for (const clientId of this.#pages.keys()) if (!alive.has(clientId)) this.#remember(clientId)
    for (const connection of this.#retired) if (!alive.has(connection.clientId)) connection.close()
    for (const [clientId, expectation] of this.#expected) {
      // A loading page is not a client yet.
      if (expectation === 'loading') continue
      if (!alive.has(clientId)) this.#remember(clientId)
      else if (expectation === 'mocking') this.#complete(clientId, locks)
      else if (expectation === 'starting' && locks?.includes(startingLock(clientId)) === false) this.endStart(clientId)
    }
    // What came between a look at what is known and the wait for news is not news any more.
    this.#news.tellAll()
  }

  async #limitLoading(clientId: string): Promise<void> {
    if (isOfPage(await self.clients.get(clientId))) this.#frames.add(clientId)
    setTimeout(() => this.#endLoading(clientId), this.#frames.has(clientId) ? frameScriptLimit : firstScriptLimit)
  }

  #endLoading(clientId: string): void {
    if (!this.isLoading(clientId)) return
    if (this.#frames.delete(clientId)) {
      this.#withoutHandlers.add(clientId)
      this.#expected.delete(clientId)
      this.#news.tell(clientId)
    } else this.endStart(clientId)
  }

  /** @param areAsked whether other engines of the page have been told to connect */
  async #awaitOthers(clientId: string, areAsked: boolean): Promise<void> {
    this.#complete(clientId, await this.#locks.read())
    const client = await self.clients.get(clientId)
    if (client && !areAsked && this.#expected.get(clientId) === 'mocking') askToReconnect(client)
  }

  /** Where a page holds more locks than engines of it have connected, the others must connect first: each holds one. */
  #complete(clientId: string, locks: readonly string[] | undefined): void {
    if (this.#expected.get(clientId) !== 'mocking') return
    const connected = this.#pages.get(clientId)?.length ?? 0
    const held = locks?.filter((name) => name === mockingLock(clientId)).length ?? 1
    if (held <= connected) this.endStart(clientId)
  }

  #expectReconnection(client: Client, expectation: Expectation): void {
    const { id } = client
    if (this.#pages.has(id) || this.#expected.has(id)) return
    this.#expected.set(id, expectation)
    askToReconnect(client)
  }

  /** The page has gone: what waits for its answers fails. */
  #remember(clientId: string): void {
    const page = this.#pages.get(clientId) ?? this.#gone.get(clientId) ?? []
    this.#pages.delete(clientId)
    this.#gone.delete(clientId)
    this.#gone.set(clientId, page)
    for (const old of [...this.#gone.keys()].slice(0, -goneLimit)) this.#gone.delete(old)
    for (const connection of page) connection.close()
    this.#expected.delete(clientId)
    this.#news.tell(clientId)
  }

  #retire(clientId: string, engine: string): void {
    const page = this.#pages.get(clientId) ?? []
    const rest = page.filter((connection) => connection.engine !== engine)
    for (const connection of page) if (connection.engine === engine) this.#retired.add(connection)
    if (rest.length > 0) this.#pages.set(clientId, rest)
    else this.#pages.delete(clientId)
  }
}

function askToReconnect(client: Client): void {
  client.postMessage({ type: 'understudy:reconnect' } satisfies ReconnectMessage)
}

/** Whether handlers of a page could match a request. */
export function couldMatch(page: MockingPage, request: Request): boolean {
  return page.some(({ table }) => table.couldMatch(request))
}

/** Whether a client belongs to another page, as a frame or a pop-up. Chromium says `'top-level'` of pop-ups. */
function isOfPage(client: Client | undefined): boolean {
  return client instanceof WindowClient && ['nested', 'auxiliary'].includes(client.frameType)
}

function matchClients(type: 'window' | 'all'): Promise<readonly Client[]> {
  return self.clients.matchAll({ includeUncontrolled: true, type })
}

import { couldMatch, type Connection, type MockingPage } from './connection.ts'
import { EndedConnections } from './ended-connections.ts'
import { HeldLocks, ownLock, stateByLocks } from './held-locks.ts'
import { News } from './news.ts'
import { mayMock, type Answerer, type Expectation } from './page-states.ts'
import { PrerenderedPages } from './prerendered-pages.ts'
import { startingLock } from './protocol.ts'
import { firstScriptLimit, frameScriptLimit, watchInterval } from './time-outs.ts'
import { askToReconnect, isOfPage, matchWindows } from './windows.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * The pages that this worker controls, with their states. A page with an unknown state may mock, so its requests wait.
 * The browser may end the worker at any time, and the worker stores nothing. A restarted worker finds the pages to ask
 * by the Web Locks that they hold.
 */
export class Connections {
  readonly #pages = new Map<string, MockingPage>()
  readonly #expected = new Map<string, Expectation>()
  readonly #unmocked = new Set<string>()
  readonly prerendered = new PrerenderedPages()
  /** The client ids of frames and pop-ups that are loading. */
  readonly #frames = new Set<string>()
  /** The client ids of frames and pop-ups that do not mock. */
  readonly #withoutHandlers = new Set<string>()
  readonly #ended = new EndedConnections()
  readonly #news = new News()
  readonly #locks = new HeldLocks()
  #restoring: Promise<void> | undefined
  #watch: ReturnType<typeof setInterval> | undefined

  connect(connection: Connection): void {
    const { clientId, engine } = connection
    this.#retire(clientId, engine)
    this.#pages.set(clientId, [...(this.#pages.get(clientId) ?? []), connection])
    this.#unmocked.delete(clientId)
    this.#ended.closed.delete(clientId)
    const isAwaited = this.#expected.get(clientId) === 'mocking'
    this.#expected.set(clientId, 'mocking')
    void this.#awaitOthers(clientId, isAwaited)
  }

  disconnect(clientId: string, engine: string): void {
    this.#retire(clientId, engine)
    this.endStart(clientId)
  }

  /**
   * Call this when a page connects that has another version. Its handlers are unknown, so its requests fail until it
   * disconnects. They must not wait, because Chromium does not replace a worker with pending requests.
   */
  refuse(clientId: string): void {
    this.#expected.set(clientId, 'not-understood')
    this.#news.tell(clientId)
  }

  isRefused(clientId: string): boolean {
    return this.#expected.get(clientId) === 'not-understood'
  }

  /**
   * Call this when a navigation to a page starts. The first requests of the page may arrive before its first script
   * runs.
   *
   * @param isFrame whether it belongs to another page, as a frame or a pop-up
   */
  beginLoading(clientId: string, isFrame: boolean): void {
    this.#expected.set(clientId, 'loading')
    if (isFrame) this.#frames.add(clientId)
  }

  /** Call this when a script of a frame or pop-up that loads makes a request before it announces mocking. */
  endFrameLoading(clientId: string): void {
    if (this.#frames.has(clientId)) this.#endLoading(clientId)
  }

  /** Call this when a handler has answered with the document of a page. Such a page has no gate. */
  noteMockedDocument(clientId: string): void {
    this.#frames.add(clientId)
    this.#endLoading(clientId)
  }

  /** Call this when the first script of a page announces mocking, by a message or by its lock. */
  beginStart(clientId: string, expectation: 'announced' | 'starting'): void {
    if (this.#pages.has(clientId)) return
    this.#unmocked.delete(clientId)
    this.#withoutHandlers.delete(clientId)
    this.#expected.set(clientId, expectation)
    this.#news.tell(clientId)
  }

  /** Call this when the start of a page has ended. If the page has not connected until now, it does not mock. */
  endStart(clientId: string): void {
    if (!this.#pages.has(clientId)) this.#unmocked.add(clientId)
    this.#expected.delete(clientId)
    this.#news.tell(clientId)
  }

  /**
   * Call this when a page has ended its start. If this worker was restarted meanwhile, the page may mock although it is
   * not connected.
   */
  async finishStart(clientId: string): Promise<void> {
    if (!this.#pages.has(clientId)) {
      const [client, locks] = await Promise.all([self.clients.get(clientId), this.#locks.read()])
      if (client && locks?.includes(ownLock(clientId)) && !this.#pages.has(clientId)) {
        this.#expected.delete(clientId)
        this.#expectReconnection(client, 'mocking')
        return
      }
    }
    this.endStart(clientId)
  }

  /** Marks all loading pages as pages that do not mock. */
  endLoading(): void {
    for (const clientId of this.#expected.keys()) this.#endLoading(clientId)
  }

  /** Call this when the page unloads or enters the back/forward cache. If it returns from there, it connects again. */
  leave(clientId: string): void {
    if (!this.#pages.has(clientId) && !mayMock(this.#expected.get(clientId))) return
    this.#remember(clientId)
    this.#expected.set(clientId, 'left')
    this.#ended.closeRetired((each) => each === clientId)
  }

  get(clientId: string): MockingPage | undefined {
    return this.#pages.get(clientId)
  }

  /** Returns the engines of a page; `undefined` if some of them have not connected again to a restarted worker. */
  getComplete(clientId: string): MockingPage | undefined {
    return this.#expected.has(clientId) ? undefined : this.#pages.get(clientId)
  }

  /** Returns the connections of a closed page. */
  getGone(clientId: string): MockingPage | undefined {
    return this.#ended.closed.get(clientId)
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

  /** Whether there are pages that mock, but have not connected again to a restarted worker. */
  get isIncomplete(): boolean {
    return !this.#restoring || [...this.#expected.values()].includes('mocking')
  }

  /** The pages whose handlers are not known because they start. These may answer for their frames and web workers. */
  get starting(): readonly string[] {
    return [...this.#expected.keys()].filter((clientId) => this.isStarting(clientId))
  }

  /** Returns whether handlers of any page could match, including those of recently closed pages. */
  couldAnyMatch(request: Request): boolean {
    return [...this.#pages.values(), ...this.#ended.closed.values()].some((page) => couldMatch(page, request))
  }

  /**
   * Finds the pages that answer for a client. If that is unknown, waits while its page exists.
   *
   * @param isNeeded whether the page may wait for this request before it starts mocking
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
        if (expectation === 'not-understood') return 'gone'
        if (expectation === 'loading') void this.#limitLoading(clientId)
        await this.newsOf(clientId)
        // Its handlers are unknown, and they may have to answer a request that was made before it stopped. A page that
        // lost this worker loads the code that answers in the page.
        if (expectation === 'mocking' && this.#unmocked.has(clientId)) return isNeeded ? 'unmocked' : 'gone'
        continue
      }
      if (this.#ended.closed.has(clientId)) {
        // The page may have returned from the back/forward cache, and may be about to connect.
        if (!(await self.clients.get(clientId))) return 'gone'
        if (this.#ended.closed.has(clientId)) this.#expected.set(clientId, 'left')
        continue
      }
      await this.restore()
      if (this.#pages.has(clientId) || this.#expected.has(clientId)) continue
      // Do not use `clients.get()`: for a web worker that a synchronous request blocks, it never resolves in Firefox.
      const client = (await matchWindows()).find(({ id }) => id === clientId)
      if (!client) return 'others'
      const locks = await this.#locks.read()
      if (!locks) this.#expectReconnection(client, 'loading')
      else if (stateByLocks(clientId, locks)) this.#expectByLocks(client, locks)
      else if (isOfPage(client)) return 'others'
      else if (this.#expected.has(clientId)) continue
      else if (this.prerendered.has(client)) this.#expected.set(clientId, 'prerendered')
      else this.endStart(clientId)
    }
  }

  /** Makes all pages connect again that were connected before the worker was restarted. */
  restore(): Promise<void> {
    this.#restoring ??= (async () => {
      const [clients, locks] = await Promise.all([matchWindows(), this.#locks.read()])
      for (const client of clients) this.#expectByLocks(client, locks)
    })()
    return this.#restoring
  }

  /** Returns whether no page mocks or is about to mock. */
  async areAllGone(): Promise<boolean> {
    const [clients, locks] = await Promise.all([matchWindows(), this.#locks.read()])
    return !clients.some(({ id }) => this.#pages.has(id) || this.isStarting(id) || stateByLocks(id, locks))
  }

  /** Waits until the state of a client changes or the client closes. Without a client id: of any client. */
  newsOf(clientId: string): Promise<void> {
    this.watch()
    return this.#news.of(clientId)
  }

  /** Checks regularly whether the pages exist for whose answers the worker waits. */
  watch(): void {
    this.#watch ??= setInterval(() => void this.#look(), watchInterval)
  }

  async #look(): Promise<void> {
    const isAsked = this.all.some((page) => page.some((connection) => connection.isAsked))
    if (!this.#ended.areAwaited() && !this.#news.isAwaited && !isAsked) {
      clearInterval(this.#watch)
      this.#watch = undefined
      return
    }
    const [clients, locks] = await Promise.all([matchWindows(), this.#locks.read()])
    const alive = new Set(clients.map(({ id }) => id))
    for (const client of clients) {
      if (this.#expected.get(client.id) !== 'prerendered' || this.prerendered.has(client)) continue
      this.beginLoading(client.id, false)
    }
    for (const clientId of this.#pages.keys()) if (!alive.has(clientId)) this.#remember(clientId)
    this.#ended.closeRetired((clientId) => !alive.has(clientId))
    for (const [clientId, expectation] of this.#expected) {
      // A loading page is not a client yet.
      if (expectation === 'loading') continue
      if (!alive.has(clientId)) this.#remember(clientId)
      else if (expectation === 'mocking') this.#complete(clientId, locks)
      else if (expectation === 'starting' && locks?.includes(startingLock(clientId)) === false)
        void this.finishStart(clientId)
    }
    // The state may have changed between the last check and this wait.
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

  /** @param areAsked whether the page's other engines were asked to connect */
  async #awaitOthers(clientId: string, areAsked: boolean): Promise<void> {
    this.#complete(clientId, await this.#locks.read())
    const client = await self.clients.get(clientId)
    if (client && !areAsked && this.#expected.get(clientId) === 'mocking') askToReconnect(client)
  }

  /**
   * Each engine of a page holds a lock. If there are more locks than connected engines, the others must connect first.
   */
  #complete(clientId: string, locks: readonly string[] | undefined): void {
    if (this.#expected.get(clientId) !== 'mocking') return
    const connected = this.#pages.get(clientId)?.length ?? 0
    const held = locks?.filter((name) => name === ownLock(clientId)).length ?? 1
    if (held <= connected) this.endStart(clientId)
  }

  #expectByLocks(client: Client, locks?: readonly string[]): void {
    const state = stateByLocks(client.id, locks)
    if (state === 'mocking') this.#expectReconnection(client, state)
    else if (state) this.beginStart(client.id, state)
  }

  #expectReconnection(client: Client, expectation: Expectation): void {
    const { id } = client
    if (this.#pages.has(id) || this.#expected.has(id)) return
    this.#expected.set(id, expectation)
    askToReconnect(client)
  }

  /** Ends the connections of a closed page. Requests that wait for its answers fail. */
  #remember(clientId: string): void {
    this.#ended.close(clientId, this.#pages.get(clientId) ?? this.getGone(clientId) ?? [])
    this.#pages.delete(clientId)
    this.#expected.delete(clientId)
    this.#news.tell(clientId)
  }

  #retire(clientId: string, engine: string): void {
    const page = this.#pages.get(clientId) ?? []
    const rest = page.filter((connection) => connection.engine !== engine)
    for (const connection of page) if (connection.engine === engine) this.#ended.retire(connection)
    if (rest.length > 0) this.#pages.set(clientId, rest)
    else this.#pages.delete(clientId)
  }
}

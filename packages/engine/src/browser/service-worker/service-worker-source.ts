import type { Network } from '../../core/network/network.ts'
import { now } from '../../core/real-time.ts'
import { isMessage, mockingLock, type PageStateMessage, type SettingMessage } from '../../worker/protocol.ts'
import { getGate, type Natives } from '../gate/gate.ts'
import { HeldLock } from '../lifecycle/held-lock.ts'
import { controlInterval, workerTimeout } from '../lifecycle/time-outs.ts'
import { watchBypass } from '../reports/bypass-watch.ts'
import { describeForeignWorker, isIdle, isUnreached, untilAsked } from './foreign-worker.ts'
import { NoServiceWorker, OtherVersion, ServiceWorkerRemoved } from './no-service-worker.ts'
import { createOwnWorkers } from './own-workers.ts'
import { sentBodies } from './sent-body-watch.ts'
import { resolveUrl } from './service-worker-container.ts'
import { TableSync } from './table-sync.ts'
import { within } from './within.ts'
import type { WorkerChannel } from './worker-channel.ts'
import {
  connectTo,
  createEngine,
  greet,
  helloToController,
  takeControl,
  postToWorker,
  unreachable,
  type Connected,
  type Engine,
  type Hello,
} from './worker-handshake.ts'
import { activeWorker, findRegistration, type WorkerLocation } from './worker-registration.ts'

/** Resolves when all stopped sources of this page have ended. */
let ended: Promise<unknown> = Promise.resolve()

/** The number of times that a page registers the worker if the worker disappears during the start. */
const attempts = 4

/**
 * Brings in the requests that the service worker sees: every request of the page, including those of elements and web
 * workers.
 */
export class ServiceWorkerSource {
  readonly registration: ServiceWorkerRegistration
  readonly #engine: Engine
  readonly #lock = new HeldLock()
  readonly #table: TableSync
  #channel: WorkerChannel | undefined
  /** The worker to which this page connected last. */
  #greeted: ServiceWorker | undefined
  #checkOfReach: Promise<void> | undefined
  #stopListening: (() => void)[] = []
  /** The time (`performance.now()`) since which requests of this page reach the worker. */
  #reachedAt = 0
  /** The time when they stopped reaching the worker. */
  #lostAt = 0

  /** URL of our script. The worker's own script may import it. */
  readonly #script: string
  readonly #onLost: (problem: NoServiceWorker) => void

  private constructor(
    registration: ServiceWorkerRegistration,
    script: string,
    engine: Engine,
    onLost: (problem: NoServiceWorker) => void,
  ) {
    this.registration = registration
    this.#script = script
    this.#engine = engine
    this.#onLost = onLost
    this.#table = new TableSync(registration, engine, () => this.#reconnect())
  }

  /**
   * Registers the worker if needed, connects to it, and checks that requests reach it.
   *
   * @param onLost called when requests of this page no longer reach the worker. The gate is closed then
   * @returns {@link NoServiceWorker} if requests of this page cannot reach a worker
   * @throws {UnderstudyError} if the worker's script is missing
   */
  static async start(
    network: Network,
    location: WorkerLocation,
    onLost: (problem: NoServiceWorker) => void,
  ): Promise<ServiceWorkerSource | NoServiceWorker> {
    for (let attempt = 1; ; attempt += 1) {
      const source = await ServiceWorkerSource.#attempt(network, location, onLost)
      // An app may unregister service workers when it starts, maybe while this page connects to ours.
      if (!(source instanceof ServiceWorkerRemoved) || attempt === attempts) return source
    }
  }

  static async #attempt(
    network: Network,
    location: WorkerLocation,
    onLost: (problem: NoServiceWorker) => void,
  ): Promise<ServiceWorkerSource | NoServiceWorker> {
    const engine = createEngine(network)
    const early = helloToController(engine, location)
    const registration = await findRegistration(location)
    const worker = registration instanceof NoServiceWorker ? registration : await activeWorker(registration)
    const hello = early?.worker === worker ? early : undefined
    if (!hello) early?.greeting.channel.standDown()
    if (registration instanceof NoServiceWorker) return registration
    if (worker instanceof NoServiceWorker) return worker
    if (!worker) return new NoServiceWorker('the service worker did not become active')
    const source = new ServiceWorkerSource(registration, resolveUrl(location.url), engine, onLost)
    source.#listen()
    const connected = await source.#connect(worker, hello)
    const problem =
      connected instanceof NoServiceWorker ? connected : await takeControl(connected.worker, registration, hello)
    if (problem) {
      void source.stop()
      return problem
    }
    // Handlers may have changed since the worker got the route table.
    source.#table.send()
    await source.#table.lastChange
    // Until then, the worker asks a stopped source first.
    await ended
    // A restarted worker finds this page only by its lock. A busy browser grants the first lock late.
    await within(workerTimeout, source.#lock.held)
    const lost = await source.#followController()
    if (lost) {
      void source.stop()
      return lost
    }
    source.#table.isStarted = true
    source.#reachedAt = now()
    return source
  }

  /** Resolves when the worker has received the last change of the handlers. */
  get lastChange(): Promise<void> {
    return this.#table.lastChange
  }

  /** Whether the worker waits for an answer of this page, or for the rest of a stream. */
  get isAnswering(): boolean {
    return this.#engine.keepAlive.isNeeded
  }

  /** Creates the page's classes for web workers, so that the worker knows which page answers them. */
  createWorkers(natives: Natives): ReturnType<typeof createOwnWorkers> {
    return createOwnWorkers(natives, (url) => {
      this.#engine.workers.add(url)
      const message = { type: 'understudy:owns', url } satisfies PageStateMessage
      navigator.serviceWorker.controller?.postMessage(message)
    })
  }

  /** Holds the requests of the page until a promise settles. */
  holdUntil(happened: Promise<unknown>): Promise<void> {
    return this.#table.holdUntil(happened)
  }

  /**
   * Stops the source. The worker leaves this page's requests alone.
   *
   * @returns resolves when the worker does so. Requests that were made before are answered.
   */
  stop(): Promise<void> {
    const { isStarted } = this.#table
    const ending = this.#end(isStarted)
    if (isStarted) ended = Promise.allSettled([ended, ending])
    return ending
  }

  async #end(isStarted: boolean): Promise<void> {
    const { controller } = navigator.serviceWorker
    this.#table.end()
    if (controller && isStarted) await untilAsked(controller)
    this.#engine.isEnded = true
    for (const end of this.#stopListening) end()
    this.#stopListening = []
    this.#table.known = undefined
    this.#lock.release()
    const message = { type: 'understudy:disconnect', engine: this.#engine.id } satisfies SettingMessage
    await postToWorker(this.registration, message)
    // A request that the worker got before may still be uploading its body, and be sent to this page later.
    if (controller && isStarted) void isIdle(controller).then((isSo) => isSo && this.#channel?.close())
  }

  async #connect(worker: ServiceWorker, hello?: Hello): Promise<Connected | NoServiceWorker> {
    this.#greeted = worker
    const onGreeted: Parameters<typeof connectTo>[3] = (table) => {
      this.#table.known = table
    }
    const { registration } = this
    const { isStarted } = this.#table
    const connected = await connectTo(worker, registration, this.#engine, onGreeted, isStarted, hello?.greeting)
    if (connected instanceof NoServiceWorker) return connected
    const { channel } = connected
    this.#channel = channel
    // Otherwise, a restarted worker would wait for this page.
    if (!this.#engine.isEnded) this.#holdLock()
    return connected
  }

  /** By this lock, a restarted worker finds the page. */
  #holdLock(): void {
    const clientId = this.#channel?.clientId
    if (clientId !== undefined) this.#lock.hold(mockingLock(clientId, this.registration.scope))
  }

  /** Connects to the worker that has replaced another one during the start, because it does not know this page. */
  async #followController(): Promise<NoServiceWorker | undefined> {
    for (;;) {
      const { controller } = navigator.serviceWorker
      if (!controller || controller === this.#greeted) return undefined
      const connected = await this.#connect(controller)
      if (connected instanceof NoServiceWorker) return connected
    }
  }

  #listen(): void {
    const container = navigator.serviceWorker
    const reconnect = (): void => {
      void this.#reconnect()
    }
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      if (!isMessage(data) || data.type !== 'understudy:reconnect') return
      sentBodies.watch?.endBodies()
      reconnect()
    }
    const onControllerChange = (): void => {
      sentBodies.watch?.beginLife()
      // The start itself handles earlier events: it keeps the gate closed until it knows that requests reach the
      // worker.
      if (this.#table.isStarted) void this.#changeController()
    }
    const onPageShow = (event: PageTransitionEvent): void => {
      if (event.persisted) reconnect()
    }
    const onPageHide = (): void => {
      const { controller } = container
      controller?.postMessage({ type: 'understudy:gone' } satisfies PageStateMessage)
      // Browsers do not keep a page with a lock in the back/forward cache.
      this.#lock.release()
    }
    const listening = new AbortController()
    const { signal } = listening
    container.addEventListener('message', onMessage, { signal })
    container.addEventListener('controllerchange', onControllerChange, { signal })
    addEventListener('pageshow', onPageShow, { signal })
    addEventListener('pagehide', onPageHide, { signal })
    // Otherwise, messages of the worker wait for DOMContentLoaded.
    container.startMessages()
    const sendTable = (): void => {
      if (this.#channel) this.#table.send()
    }
    this.#stopListening = [() => listening.abort(), this.#engine.network.onChange(sendTable)]
    const endWatch = watchBypass(this.#engine.network, (suspects) => void this.#findEscaped(suspects))
    // The browser reports a request when its response arrives, which may be after the worker was lost.
    this.#stopListening.push(() => this.#lostAt > 0 || endWatch())
  }

  /** Reports the requests that did not reach the worker, because this page has lost it, or because they are synchronous. */
  async #findEscaped(suspects: readonly PerformanceEntry[]): Promise<void> {
    await this.#checkReach()
    const escaped = this.#lostAt > 0 ? suspects.filter(({ startTime }) => startTime < this.#lostAt) : []
    // Firefox's page reports these itself.
    const isReporting = this.#table.isStarted && !('mozInnerScreenX' in globalThis)
    const unseen = (isReporting ? (suspects as PerformanceResourceTiming[]) : []).filter(
      // A response from a cache has no protocol.
      ({ startTime, initiatorType, nextHopProtocol }) =>
        startTime > this.#reachedAt && initiatorType === 'xmlhttprequest' && nextHopProtocol !== '',
    )
    if (escaped.length === 0 && unseen.length === 0) return
    const reports = await import('../reports/report-escaped.ts')
    reports.reportEscaped(escaped)
    reports.reportSynchronous(unseen)
  }

  /** Checks whether requests of this page still reach the worker. */
  #checkReach(): Promise<void> {
    this.#checkOfReach ??= (async () => {
      const { controller } = navigator.serviceWorker
      if (this.#table.isStarted && controller && (await isUnreached(controller))) {
        const confirmed = isUnreached(controller, controlInterval)
        await this.holdUntil(confirmed.then((isConfirmed) => isConfirmed && this.#lose(unreachable)))
      }
      this.#checkOfReach = undefined
    })()
    return this.#checkOfReach
  }

  async #reconnect(): Promise<void> {
    const { controller } = navigator.serviceWorker
    if (this.#lostAt > 0) {
      // A restarted worker must know that this page is not unmocked. The back/forward cache has taken its lock.
      this.#holdLock()
      if (controller) greet(controller, this.#engine)
      return
    }
    const connected = await this.#connectAgain(controller)
    if (connected instanceof NoServiceWorker) this.#lose(connected)
  }

  /** The new worker may not know this page, or may not be ours. Hold all requests until this is known. */
  #changeController(): Promise<void> {
    return this.holdUntil(this.#meetController())
  }

  async #meetController(): Promise<void> {
    const { controller } = navigator.serviceWorker
    const mayBeForeign = controller && controller.scriptURL !== this.#script && (await isUnreached(controller))
    const isForeign = mayBeForeign && (await isUnreached(controller, controlInterval))
    const connected = isForeign ? describeForeignWorker(controller, this.#script) : await this.#connectAgain(controller)
    if (connected instanceof NoServiceWorker) this.#lose(connected)
  }

  #connectAgain(controller: ServiceWorker | null): Promise<Connected | NoServiceWorker> {
    const worker = controller ?? this.registration.active
    return worker ? this.#connect(worker) : Promise.resolve(new NoServiceWorker('the service worker was removed'))
  }

  /** The source that replaces this one calls {@link stop} again, when its code is loaded. */
  #lose(problem: NoServiceWorker): void {
    if (this.#lostAt > 0 || this.#engine.isEnded) return
    this.#lostAt = now()
    this.#table.isStarted = false
    getGate()?.hold()
    // A worker of another version fails the requests from elements and web workers. If the code does not load, it must not
    // let them through. Any other worker would let that code wait for this page.
    if (!(problem instanceof OtherVersion)) void this.stop()
    this.#onLost(problem)
  }
}

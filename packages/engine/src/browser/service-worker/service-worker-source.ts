import type { Network } from '../../core/network/network.ts'
import { isMessage, mockingLock, type PageStateMessage, type SettingMessage } from '../../worker/protocol.ts'
import { getForFirefox } from '../firefox/load-firefox.ts'
import { getGate } from '../gate/gate.ts'
import { watchBypass } from '../reports/bypass-watch.ts'
import { describeForeignWorker, reachesWorker, untilAsked } from './foreign-worker.ts'
import { HeldLock } from './held-lock.ts'
import { NoServiceWorker, ServiceWorkerRemoved } from './no-service-worker.ts'
import { TableSync } from './table-sync.ts'
import { workerTimeout } from './time-outs.ts'
import { within } from './within.ts'
import type { WorkerChannel } from './worker-channel.ts'
import {
  connectTo,
  createEngine,
  helloToController,
  takeControl,
  postToWorker,
  unreachable,
  type Connected,
  type Engine,
  type Hello,
} from './worker-handshake.ts'
import { activeWorker, findRegistration, type WorkerLocation } from './worker-registration.ts'

/** How often a page that loses its worker while it starts registers it. */
const attempts = 4

/** Brings in what the service worker sees: every request of the page, elements' and workers' included. */
export class ServiceWorkerSource {
  readonly registration: ServiceWorkerRegistration
  readonly #engine: Engine
  readonly #lock = new HeldLock()
  readonly #table: TableSync
  #channel: WorkerChannel | undefined
  #checkOfReach: Promise<void> | undefined
  #stopListening: (() => void)[] = []
  /** The time (`performance.now()`) since which requests of this page no longer reach the worker. */
  #lostAt = 0

  /** URL of the worker's script. */
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
   * Registers the worker where needed, connects to it and sees that requests reach it.
   *
   * @param onLost called when requests of this page no longer reach the worker. The gate is closed then
   * @returns {@link NoServiceWorker} where requests of this page cannot reach one
   * @throws {UnderstudyError} if the worker's script is missing
   */
  static async start(
    network: Network,
    location: WorkerLocation,
    onLost: (problem: NoServiceWorker) => void,
  ): Promise<ServiceWorkerSource | NoServiceWorker> {
    for (let attempt = 1; ; attempt += 1) {
      const source = await ServiceWorkerSource.#attempt(network, location, onLost)
      // An app may remove the worker that it finds at its start: once, but maybe while this page connects to it.
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
    const source = new ServiceWorkerSource(registration, worker.scriptURL, engine, onLost)
    source.#listen()
    const connected = await source.#connect(worker, hello)
    const problem =
      connected instanceof NoServiceWorker ? connected : await takeControl(connected.worker, registration, hello)
    if (problem) {
      void source.stop()
      return problem
    }
    // Handlers may have changed since the worker was told.
    source.#table.send()
    await source.#table.lastChange
    // The worker's next life knows this page only by its lock. The browser grants the first one late where it is busy.
    await within(workerTimeout, source.#lock.held)
    source.#table.isStarted = true
    return source
  }

  /** Resolves when the worker knows of the last change of the handlers. */
  get lastChange(): Promise<void> {
    return this.#table.lastChange
  }

  /**
   * Stops the source. The worker leaves this page's requests alone.
   *
   * @returns resolves when the worker does. Requests that were made before are answered.
   */
  async stop(): Promise<void> {
    const { controller } = navigator.serviceWorker
    if (controller && this.#table.isStarted) await untilAsked(controller)
    for (const end of this.#stopListening) end()
    this.#stopListening = []
    this.#lock.release()
    const message = { type: 'understudy:disconnect', engine: this.#engine.id } satisfies SettingMessage
    await postToWorker(this.registration, message)
  }

  async #connect(worker: ServiceWorker, hello?: Hello): Promise<Connected | NoServiceWorker> {
    const onGreeted: Parameters<typeof connectTo>[3] = (table) => {
      this.#table.known = table
    }
    const connected = await connectTo(worker, this.registration, this.#engine, onGreeted, hello?.greeting)
    if (connected instanceof NoServiceWorker) return connected
    const { channel } = connected
    this.#channel = channel
    if (channel.clientId !== undefined) this.#lock.hold(mockingLock(channel.clientId))
    return connected
  }

  #listen(): void {
    const container = navigator.serviceWorker
    const reconnect = (): void => {
      void this.#reconnect()
    }
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      if (!isMessage(data) || data.type !== 'understudy:reconnect') return
      getForFirefox()?.endBodies()
      reconnect()
    }
    const onControllerChange = (): void => {
      getForFirefox()?.beginLife()
      // Those before are what the start waits for: until it has seen where requests go, the gate stays shut.
      if (this.#table.isStarted) void this.#changeController()
    }
    const onPageShow = (event: PageTransitionEvent): void => {
      if (event.persisted) reconnect()
    }
    const onPageHide = (): void => {
      const { controller } = container
      controller?.postMessage({ type: 'understudy:gone' } satisfies PageStateMessage)
      // Browsers keep no page with a lock in the back/forward cache.
      this.#lock.release()
    }
    const listening = new AbortController()
    const { signal } = listening
    container.addEventListener('message', onMessage, { signal })
    container.addEventListener('controllerchange', onControllerChange, { signal })
    addEventListener('pageshow', onPageShow, { signal })
    addEventListener('pagehide', onPageHide, { signal })
    // Messages of the worker wait for DOMContentLoaded otherwise.
    container.startMessages()
    const sendTable = (): void => {
      if (this.#channel) this.#table.send()
    }
    this.#stopListening = [() => listening.abort(), this.#engine.network.onChange(sendTable)]
    const endWatch = watchBypass(this.#engine.network, (suspects) => void this.#findEscaped(suspects))
    // The report of a request comes with its response, which may be later than the loss of the worker.
    this.#stopListening.push(() => this.#lostAt > 0 || endWatch())
  }

  /** Reports the requests that did not pass the worker, because this page has lost it. */
  async #findEscaped(suspects: readonly PerformanceEntry[]): Promise<void> {
    await this.#checkReach()
    const escaped = suspects.filter(({ startTime }) => startTime < this.#lostAt)
    if (escaped.length > 0) (await import('../reports/report-escaped.ts')).reportEscaped(escaped)
  }

  /** Sees whether requests of this page reach the worker still. */
  #checkReach(): Promise<void> {
    this.#checkOfReach ??= (async () => {
      const { controller } = navigator.serviceWorker
      if (controller && this.#table.isStarted && (await reachesWorker(controller)) === false) this.#lose(unreachable)
      this.#checkOfReach = undefined
    })()
    return this.#checkOfReach
  }

  async #reconnect(): Promise<void> {
    const { controller } = navigator.serviceWorker
    const connected = await this.#connectAgain(controller)
    if (connected instanceof NoServiceWorker) this.#lose(connected)
  }

  /** Another worker may know nothing of this page, or of mocking: until that is clear, nothing may pass. */
  #changeController(): Promise<void> {
    return this.#table.holdUntil(this.#meetController())
  }

  async #meetController(): Promise<void> {
    const { controller } = navigator.serviceWorker
    const isForeign = controller && controller.scriptURL !== this.#script && (await reachesWorker(controller)) === false
    const connected = isForeign ? describeForeignWorker(controller, this.#script) : await this.#connectAgain(controller)
    if (connected instanceof NoServiceWorker) this.#lose(connected)
  }

  #connectAgain(controller: ServiceWorker | null): Promise<Connected | NoServiceWorker> {
    const worker = controller ?? this.registration.active
    return worker ? this.#connect(worker) : Promise.resolve(new NoServiceWorker('the service worker was removed'))
  }

  #lose(problem: NoServiceWorker): void {
    this.#lostAt = performance.now()
    this.#table.isStarted = false
    getGate()?.hold()
    void this.stop()
    this.#onLost(problem)
  }
}

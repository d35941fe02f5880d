import type { Network } from '../core/network/network.ts'
import {
  isMessage,
  mockingLock,
  protocolVersion,
  type ConnectMessage,
  type PageStateMessage,
  type SettingAnswer,
  type SettingMessage,
} from '../worker/protocol.ts'
import { getGate } from './gate/gate.ts'
import { HeldLock } from './held-lock.ts'
import { KeepAlive } from './keep-alive.ts'
import { answersProbe, describeNeighbour } from './neighbour-worker.ts'
import { NoServiceWorker, ServiceWorkerRemoved } from './no-service-worker.ts'
import { passSynchronousRequests } from './pass-synchronous-requests.ts'
import { awaitControl, findContainer, findObstacle, scopeOf, untilActivated } from './service-worker-container.ts'
import { within } from './within.ts'
import { WorkerChannel, type WorkerPage } from './worker-channel.ts'
import { awaitVersion, promptness } from './worker-fault.ts'
import { activeWorker, findRegistration, type WorkerLocation } from './worker-registration.ts'
import { covers, createTable, isSameTable, toMessage, type PageTable } from './worker-table.ts'

/** How long the worker may take to answer, in milliseconds. */
const patience = 5000

/** How often a page that loses its worker while it starts registers it. */
const attempts = 4

/** A hello to a worker. */
interface Greeting {
  readonly channel: WorkerChannel
  /** What it was told. */
  readonly table: PageTable
}

/** An engine on this page, as its worker knows it. */
interface Engine extends WorkerPage {
  readonly id: string
  readonly network: Network
}

let lastEngine = 0

function createEngine(network: Network): Engine {
  lastEngine += 1
  return {
    // Another copy of this module may be on the page.
    id: `${lastEngine}-${Math.random()}`,
    network,
    keepAlive: new KeepAlive(() => {
      const { controller } = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker ?? {}
      controller?.postMessage({ type: 'understudy:keep-alive' } satisfies PageStateMessage)
    }),
    workers: new Set(),
  }
}

function greet(worker: ServiceWorker, engine: Engine): Greeting {
  const { id, network, workers } = engine
  const { port1, port2 } = new MessageChannel()
  const channel = new WorkerChannel(port1, network, engine)
  const table = createTable(network)
  const isControlled = navigator.serviceWorker.controller === worker
  const message: ConnectMessage = {
    type: 'understudy:connect',
    version: protocolVersion,
    engine: id,
    table: toMessage(table),
    isControlled,
    workers: [...workers],
  }
  worker.postMessage(message, [port2])
  return { channel, table }
}

/** What the start asks of a worker. */
interface Hello {
  readonly worker: ServiceWorker
  readonly greeting: Greeting
  /** Whether a request of this page reached it. */
  readonly probe: Promise<boolean>
}

/**
 * Where the worker is in control of the page already, from an earlier visit, it is asked for all at once, while its
 * registration is looked up: each of these takes a turn through the browser.
 */
function helloToController(engine: Engine, { url, options, find }: WorkerLocation): Hello | undefined {
  const container = findContainer()
  const worker = container instanceof NoServiceWorker ? null : container.controller
  const { href } = new URL(url, document.baseURI)
  if (find || worker?.scriptURL !== href || findObstacle(href, scopeOf(href, options))) return undefined
  return { worker, greeting: greet(worker, engine), probe: answersProbe(worker) }
}

/** Brings in what the service worker sees: every request of the page, elements' and workers' included. */
export class ServiceWorkerSource {
  readonly registration: ServiceWorkerRegistration
  readonly #engine: Engine
  readonly #lock = new HeldLock()
  #channel: WorkerChannel | undefined
  /** What the worker was last told. */
  #table: PageTable | undefined
  /** Changes that the worker does not know of yet; while there is one, requests are held. */
  #unknown = 0
  /** Whether the page's requests were seen to reach the worker. */
  #isStarted = false
  #lastChange: Promise<void> = Promise.resolve()
  #stopListening: (() => void)[] = []

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
  }

  /**
   * Registers the worker where needed, connects to it and sees that requests reach it.
   *
   * @param onLost told when requests of this page do not reach the worker any more; the gate is shut then
   * @returns {@link NoServiceWorker} where requests of this page cannot reach one
   * @throws where the worker's script is missing
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
    const connected = await source.#connect(worker, hello?.greeting)
    const problem = connected instanceof NoServiceWorker ? connected : await source.#takeControl(connected, hello)
    if (problem) {
      source.stop()
      return problem
    }
    // Handlers may have changed since the worker was told.
    source.#sendTable()
    await source.#lastChange
    source.#isStarted = true
    return source
  }

  /** Ends it: the worker leaves this page's requests alone. What it brings until it knows is performed as it is. */
  stop(): void {
    for (const end of this.#stopListening) end()
    this.#stopListening = []
    this.#channel?.standDown()
    this.#lock.release()
    void this.#tell({ type: 'understudy:disconnect', engine: this.#engine.id })
  }

  /**
   * @param greeting where the worker was greeted already
   * @returns the worker that answered: this one, or the one that took its place
   */
  async #connect(
    worker: ServiceWorker,
    greeting: Greeting = greet(worker, this.#engine),
    isSecondTry = false,
  ): Promise<ServiceWorker | NoServiceWorker> {
    const { channel, table } = greeting
    this.#table = table
    const { connected } = channel
    let version: string | NoServiceWorker | undefined = await within(promptness, connected)
    if (version !== protocolVersion && !isSecondTry) {
      // It is slow, of another version, or not ours: the script that is served now takes its place.
      const updated = this.#update()
      const ours = connected.then((late) => (late === protocolVersion ? worker : updated))
      const replacement = await Promise.race([updated, ours])
      if (replacement && replacement !== worker) return this.#connect(replacement, undefined, true)
    }
    version ??= await awaitVersion(worker, connected, patience)
    if (version instanceof NoServiceWorker) return version
    if (version === protocolVersion) {
      this.#channel = channel
      if (channel.clientId !== undefined) this.#lock.hold(mockingLock(channel.clientId))
      return worker
    }
    return new NoServiceWorker(
      `the service worker ${worker.scriptURL} is of version ${version}, and the engine of ${protocolVersion}`,
    )
  }

  async #update(): Promise<ServiceWorker | undefined> {
    try {
      const registration = (await within(patience, this.registration.update())) ?? this.registration
      const next = registration.installing ?? this.registration.waiting
      if (next) await within(patience, untilActivated(next))
    } catch {
      // The script is gone or broken: the caller says what follows from that.
    }
    return this.registration.active ?? undefined
  }

  /**
   * Waits until this page's requests go through the worker, and sees that they do.
   *
   * @param hello by which a request may be on its way already
   */
  async #takeControl(worker: ServiceWorker, hello?: Hello): Promise<NoServiceWorker | undefined> {
    const container = navigator.serviceWorker
    // It may be another one's page still: that of a wider scope.
    if (container.controller !== worker && !(await awaitControl(this.registration, worker)))
      return new ServiceWorkerRemoved()
    let controller
    let seen = hello?.worker === container.controller ? hello?.probe : undefined
    do {
      controller = container.controller
      const answers = await (seen ?? answersProbe(worker))
      seen = undefined
      if (!answers) {
        return new NoServiceWorker(
          'requests do not reach the service worker (is "Bypass for network" on in the developer tools?)',
        )
      }
    } while (controller !== container.controller)
    return undefined
  }

  #listen(): void {
    const container = navigator.serviceWorker
    const reconnect = (): void => {
      void this.#reconnect()
    }
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      if (isMessage(data) && data.type === 'understudy:reconnect') reconnect()
    }
    const onControllerChange = (): void => {
      // Those before are what the start waits for: until it has seen where requests go, the gate stays shut.
      if (this.#isStarted) void this.#changeController()
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
    container.addEventListener('message', onMessage)
    container.addEventListener('controllerchange', onControllerChange)
    addEventListener('pageshow', onPageShow)
    addEventListener('pagehide', onPageHide)
    // Messages of the worker wait for DOMContentLoaded otherwise.
    container.startMessages()
    const sendTable = (): void => {
      if (this.#channel) this.#sendTable()
    }
    this.#stopListening = [
      () => container.removeEventListener('message', onMessage),
      () => container.removeEventListener('controllerchange', onControllerChange),
      () => removeEventListener('pageshow', onPageShow),
      () => removeEventListener('pagehide', onPageHide),
      this.#engine.network.onChange(sendTable),
      passSynchronousRequests(),
    ]
  }

  async #reconnect(): Promise<void> {
    const { controller } = navigator.serviceWorker
    const connected = await this.#connectAnew(controller)
    if (connected instanceof NoServiceWorker) this.#lose(connected)
  }

  /** Another worker may know nothing of this page, or of mocking: until that is clear, nothing may pass. */
  async #changeController(): Promise<void> {
    this.#unknown += 1
    getGate()?.hold()
    const { controller } = navigator.serviceWorker
    const isStranger = controller && controller.scriptURL !== this.#script && !(await answersProbe(controller))
    const connected = isStranger ? describeNeighbour(controller, this.#script) : await this.#connectAnew(controller)
    this.#unknown -= 1
    const gate = getGate()
    if (connected instanceof NoServiceWorker) this.#lose(connected)
    else if (this.#unknown === 0) gate?.open(gate.carriers)
  }

  #connectAnew(controller: ServiceWorker | null): Promise<ServiceWorker | NoServiceWorker> {
    const worker = controller ?? this.registration.active
    return worker ? this.#connect(worker) : Promise.resolve(new NoServiceWorker('the service worker was removed'))
  }

  #lose(problem: NoServiceWorker): void {
    getGate()?.hold()
    this.stop()
    this.#onLost(problem)
  }

  /**
   * Tells the worker of a change. While it does not know of a route yet, requests are held: the worker would let
   * them pass.
   */
  #sendTable(): void {
    const known = this.#table
    const table = createTable(this.#engine.network)
    const isWider = !known || !covers(known, table)
    if (known && isSameTable(table, known)) return
    this.#table = table
    const told = this.#tellTable(table, known)
    if (isWider) this.#lastChange = this.#holdUntil(told)
  }

  async #tellTable(table: PageTable, known: PageTable | undefined): Promise<void> {
    const answer = await this.#tell({
      type: 'understudy:table',
      engine: this.#engine.id,
      table: toMessage(table, known),
    })
    // It was ended before it stored what it was told.
    if (answer?.isIncomplete) await this.#reconnect()
  }

  async #holdUntil(told: Promise<void>): Promise<void> {
    this.#unknown += 1
    getGate()?.hold()
    await told
    this.#unknown -= 1
    const gate = getGate()
    if (this.#unknown === 0 && this.#isStarted) gate?.open(gate.carriers)
  }

  /** Posts a message to the worker itself: were it sent by the port, a worker that was ended would not hear it. */
  #tell(message: SettingMessage): Promise<SettingAnswer | undefined> {
    const { port1, port2 } = new MessageChannel()
    const answered = new Promise<SettingAnswer>((resolve) => {
      port1.addEventListener('message', ({ data }: MessageEvent<SettingAnswer>) => resolve(data), { once: true })
      port1.start()
    })
    this.registration.active?.postMessage(message, [port2])
    return within(patience, answered).finally(() => port1.close())
  }
}

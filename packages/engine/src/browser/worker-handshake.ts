import type { Network } from '../core/network/network.ts'
import { protocolVersion, type ConnectMessage, type PageStateMessage } from '../worker/protocol.ts'
import { KeepAlive } from './keep-alive.ts'
import { answersProbe } from './neighbour-worker.ts'
import { NoServiceWorker, ServiceWorkerRemoved } from './no-service-worker.ts'
import { awaitControl, findContainer, findObstacle, scopeOf, untilActivated } from './service-worker-container.ts'
import { within } from './within.ts'
import { WorkerChannel, type WorkerPage } from './worker-channel.ts'
import { awaitVersion, promptness } from './worker-fault.ts'
import type { WorkerLocation } from './worker-registration.ts'
import { createTable, toMessage, type PageTable } from './worker-table.ts'

/** How long the worker may take to answer, in milliseconds. */
const patience = 5000

export const unreachable: NoServiceWorker = new NoServiceWorker(
  'requests do not reach the service worker (is "Bypass for network" on in the developer tools?)',
  'Switch it off and reload to have the worker answer.',
)

/** A connect message that was sent, and the port to its worker. */
interface Greeting {
  readonly channel: WorkerChannel
  /** What it was told. */
  readonly table: PageTable
}

/** An engine on this page, as its worker knows it. */
export interface Engine extends WorkerPage {
  readonly id: string
  readonly network: Network
}

let lastEngine = 0

export function createEngine(network: Network): Engine {
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
export interface Hello {
  readonly worker: ServiceWorker
  readonly greeting: Greeting
  /** Whether a request of this page reached it. */
  readonly probe: Promise<boolean>
}

/**
 * Sends everything at once to a worker that controls the page from an earlier visit, while its registration is looked
 * up: each of these takes a turn through the browser.
 */
export function helloToController(engine: Engine, { url, options, find }: WorkerLocation): Hello | undefined {
  const container = findContainer()
  const worker = container instanceof NoServiceWorker ? null : container.controller
  const { href } = new URL(url, document.baseURI)
  if (find || worker?.scriptURL !== href || findObstacle(href, scopeOf(href, options))) return undefined
  return { worker, greeting: greet(worker, engine), probe: answersProbe(worker) }
}

/** A worker that has answered, and the port to it. */
export interface Connected {
  readonly worker: ServiceWorker
  readonly channel: WorkerChannel
}

/**
 * Connects an engine to a worker. Where the worker is slow, or of another version, the script that is served now may
 * replace it.
 *
 * @param onGreeted told what each worker was sent
 * @param greeting where the worker was greeted already
 * @returns the worker that answered: this one, or the one that replaced it
 */
export async function connectTo(
  worker: ServiceWorker,
  registration: ServiceWorkerRegistration,
  engine: Engine,
  onGreeted: (table: PageTable) => void,
  greeting: Greeting = greet(worker, engine),
  isSecondTry = false,
): Promise<Connected | NoServiceWorker> {
  const { channel, table } = greeting
  onGreeted(table)
  const { connected } = channel
  let version: string | NoServiceWorker | undefined = await within(promptness, connected)
  if (version !== protocolVersion && !isSecondTry) {
    // It is slow, of another version, or not ours: the script that is served now takes its place.
    const updated = update(registration)
    const ours = connected.then((late) => (late === protocolVersion ? worker : updated))
    const replacement = await Promise.race([updated, ours])
    if (replacement && replacement !== worker)
      return connectTo(replacement, registration, engine, onGreeted, undefined, true)
  }
  version ??= await awaitVersion(worker, connected, patience)
  if (version instanceof NoServiceWorker) return version
  if (version === protocolVersion) return { worker, channel }
  return new NoServiceWorker(
    `the service worker ${worker.scriptURL} is of version ${version}, and the engine of ${protocolVersion}`,
  )
}

async function update(registration: ServiceWorkerRegistration): Promise<ServiceWorker | undefined> {
  try {
    const updated = (await within(patience, registration.update())) ?? registration
    const next = updated.installing ?? updated.waiting
    if (next) await within(patience, untilActivated(next))
  } catch {
    // The script is gone or broken: the caller says what follows from that.
  }
  return registration.active ?? undefined
}

/**
 * Waits until this page's requests go through the worker, and sees that they do.
 *
 * @param hello by which a request may be on its way already
 */
export async function takeControl(
  worker: ServiceWorker,
  registration: ServiceWorkerRegistration,
  hello?: Hello,
): Promise<NoServiceWorker | undefined> {
  const container = navigator.serviceWorker
  // It may be another one's page still: that of a wider scope.
  if (container.controller !== worker && !(await awaitControl(registration, worker))) return new ServiceWorkerRemoved()
  let controller
  let seen = hello?.worker === container.controller ? hello?.probe : undefined
  do {
    controller = container.controller
    const answers = await (seen ?? answersProbe(worker))
    seen = undefined
    if (!answers) return unreachable
  } while (controller !== container.controller)
  return undefined
}

/** Posts a message to the worker itself: were it sent by the port, a worker that was ended would not receive it. */
export function tell<Answer>({ active }: ServiceWorkerRegistration, message: object): Promise<Answer | undefined> {
  const { port1, port2 } = new MessageChannel()
  const answered = new Promise<Answer>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<Answer>) => resolve(data), { once: true })
    port1.start()
  })
  active?.postMessage(message, [port2])
  return within(patience, answered).finally(() => port1.close())
}

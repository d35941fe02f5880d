import type { Network } from '../../core/network/network.ts'
import { later, now } from '../../core/real-time.ts'
import { protocolVersion, type ConnectMessage, type PageStateMessage } from '../../worker/protocol.ts'
import {
  activationLimit,
  controlInterval,
  scriptCheckDelay,
  slowStepLimit,
  workerTimeout,
} from '../lifecycle/time-outs.ts'
import { findFault } from './await-worker.ts'
import { askToReplace, reachesWorker } from './foreign-worker.ts'
import { KeepAlive } from './keep-alive.ts'
import { NoServiceWorker, OtherVersion, ServiceWorkerRemoved } from './no-service-worker.ts'
import {
  awaitControl,
  findContainer,
  findObstacle,
  resolveUrl,
  scopeOf,
  untilActivated,
  untilState,
} from './service-worker-container.ts'
import { within } from './within.ts'
import { WorkerChannel, type WorkerPage } from './worker-channel.ts'
import type { WorkerLocation } from './worker-registration.ts'
import { createTable, toMessage, type PageTable } from './worker-table.ts'

export const unreachable: NoServiceWorker = new NoServiceWorker(
  'requests do not reach the service worker (is "Bypass for network" on in the developer tools?)',
  'Switch it off and reload to have the worker answer.',
)

/** The number of probes that may fail before the worker counts as unreachable. They take as long as other steps. */
const probeFailures = Math.ceil(workerTimeout / controlInterval)

/** A connect message that was sent, and the port to its worker. */
interface Greeting {
  readonly channel: WorkerChannel
  /** The route table that was sent. */
  readonly table: PageTable
}

/** The state of an engine on this page that its connection to the worker needs. */
export interface Engine extends WorkerPage {
  readonly id: string
  readonly network: Network
  /** Whether the page has disconnected. Another connect message would start mocking again. */
  isEnded: boolean
}

let lastEngine = 0

export function createEngine(network: Network): Engine {
  lastEngine += 1
  return {
    // The page may have another copy of this module.
    id: `${lastEngine}-${Math.random()}`,
    network,
    keepAlive: new KeepAlive(() => {
      const { controller } = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker ?? {}
      controller?.postMessage({ type: 'understudy:keep-alive' } satisfies PageStateMessage)
    }),
    workers: new Set(),
    isEnded: false,
  }
}

/** Sends the connect message. */
export function greet(worker: ServiceWorker, engine: Engine): Greeting {
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

/** The handshake with a worker at the start. */
export interface Hello {
  readonly worker: ServiceWorker
  readonly greeting: Greeting
  /** Whether a request of this page reached the worker; `undefined` if that is unknown. */
  readonly probe: Promise<boolean | undefined>
}

/**
 * Sends the connect message and the probe at once to a worker that controls the page from an earlier visit, in parallel with
 * the look-up of its registration, because each of these takes a round trip through the browser.
 */
export function helloToController(engine: Engine, { url, options, find }: WorkerLocation): Hello | undefined {
  const container = findContainer()
  const worker = container instanceof NoServiceWorker ? null : container.controller
  const href = resolveUrl(url)
  if (find || worker?.scriptURL !== href || findObstacle(href, scopeOf(href, options))) return undefined
  return { worker, greeting: greet(worker, engine), probe: reachesWorker(worker, slowStepLimit) }
}

/** A worker that has answered, and the port to it. */
export interface Connected {
  readonly worker: ServiceWorker
  readonly channel: WorkerChannel
}

/**
 * Connects an engine to a worker. If the worker is slow or has another version, updates its registration, because the
 * server may have a newer script.
 *
 * @param onGreeted called with the route table that was sent to each worker
 * @param isStarted whether the page already mocks. Then it accepts a worker of another version, if that understands the
 * page's route table: the packages were updated while the page is open, and the page may lack the code for another start
 * @param greeting the handshake, if the connect message was already sent
 * @returns the worker that answered: the given one, or the one that replaced it
 */
export async function connectTo(
  worker: ServiceWorker,
  registration: ServiceWorkerRegistration,
  engine: Engine,
  onGreeted: (table: PageTable) => void,
  isStarted: boolean,
  greeting: Greeting = greet(worker, engine),
  isSecondTry = false,
): Promise<Connected | NoServiceWorker> {
  let { channel } = greeting
  onGreeted(greeting.table)
  const { connected } = channel
  const isUnderstood = (): boolean => channel.clientId !== undefined
  const isAccepted = (answer?: string): boolean => answer === protocolVersion || (isStarted && isUnderstood())
  let version: string | NoServiceWorker | undefined = await within(scriptCheckDelay, connected)
  if (!isSecondTry && !isAccepted(version)) {
    // The worker is slow, has another version, or is not ours. Get the current script from the server, which may
    // replace it.
    const updated = update(registration)
    const ours = connected.then((late) => (isAccepted(late) ? worker : updated))
    const replacement = await Promise.race([updated, ours])
    if (replacement && replacement !== worker && !engine.isEnded)
      return connectTo(replacement, registration, engine, onGreeted, isStarted, undefined, true)
  }
  const fault = version === undefined && findFault(worker)
  let waited = 0
  while (fault) {
    version = await within(workerTimeout, Promise.race([channel.connected, fault]))
    if (version !== undefined) break
    waited += workerTimeout
    if (engine.isEnded || waited >= slowStepLimit)
      return new NoServiceWorker(`the service worker ${worker.scriptURL} does not answer`)
    // The machine is busy, or the browser has lost the message. The worker answers the last message of an engine too.
    const again = greet(worker, engine)
    ;({ channel } = again)
    onGreeted(again.table)
  }
  if (version instanceof NoServiceWorker) return version
  // At the start, another version is accepted only while the right one waits: Chromium does not replace a worker that
  // answers a request of another page. The page connects to the right one when that takes control.
  if (isAccepted(version) || (registration.waiting && isUnderstood())) return { worker, channel }
  // The page cannot use this worker until the right one replaces it. Its answers to other pages may end soon.
  const { waiting } = registration
  if (!isSecondTry && waiting && !isUnderstood()) {
    await within(workerTimeout, untilActivated(waiting))
    const { active } = registration
    if (active && active !== worker)
      return connectTo(active, registration, engine, onGreeted, isStarted, undefined, true)
  }
  return new OtherVersion(
    `the service worker ${worker.scriptURL} has version ${version}, but the engine has ${protocolVersion}`,
    'Reload the page. If it stays, close other pages of this origin, or copy the worker file again.',
  )
}

async function update(registration: ServiceWorkerRegistration): Promise<ServiceWorker | undefined> {
  try {
    const updated = (await within(workerTimeout, registration.update())) ?? registration
    const next = updated.installing ?? updated.waiting
    if (next) {
      await askToReplace(next)
      await within(workerTimeout, untilState(next, ['installed', 'activated', 'redundant']))
      await within(activationLimit, untilActivated(next))
    }
  } catch {
    // The script is missing or broken. The caller handles this.
  }
  return registration.active ?? undefined
}

/**
 * Waits until the worker controls this page, and checks that requests reach it.
 *
 * @param hello a handshake whose probe was already sent
 */
export async function takeControl(
  worker: ServiceWorker,
  registration: ServiceWorkerRegistration,
  hello?: Hello,
): Promise<NoServiceWorker | undefined> {
  const container = navigator.serviceWorker
  // A worker with a wider scope may still control the page.
  if (container.controller !== worker && !(await awaitControl(registration, worker))) return new ServiceWorkerRemoved()
  let seen = hello?.worker === container.controller ? hello?.probe : undefined
  let misses = 0
  let failures = 0
  for (;;) {
    const { controller } = container
    const startedAt = now()
    const isReached = await (seen ?? reachesWorker(worker, slowStepLimit))
    seen = undefined
    const isSame = controller === container.controller
    if (isReached && isSame) return undefined
    // Firefox may send probes to the network while it replaces the worker, before the page learns of that.
    if (isReached === false && isSame) misses += 1
    if (isReached === undefined) failures += 1
    const isLate = now() - startedAt >= slowStepLimit
    if (misses > 1 || failures > probeFailures || isLate) return unreachable
    // The probe failed: the browser has aborted it together with all requests of the page, or a policy forbids it.
    if (!isReached) await new Promise<void>((resolve) => later(resolve, controlInterval))
  }
}

/** Posts a message to the worker itself, which starts a terminated worker. A message on the port would be lost. */
export function postToWorker<Answer>(
  { active }: ServiceWorkerRegistration,
  message: object,
): Promise<Answer | undefined> {
  const { port1, port2 } = new MessageChannel()
  const answered = new Promise<Answer>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<Answer>) => resolve(data), { once: true })
    port1.start()
  })
  active?.postMessage(message, [port2])
  return within(workerTimeout, answered).finally(() => port1.close())
}

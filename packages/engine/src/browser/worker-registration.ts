import { failure } from '../core/failure.ts'
import { getGate } from './gate/gate.ts'
import { meetNeighbour } from './neighbour-worker.ts'
import { NoServiceWorker } from './no-service-worker.ts'
import { findContainer, findObstacle, scopeOf } from './service-worker-container.ts'
import { within } from './within.ts'

/** Finds the worker among the registered ones: whether a script's URL is the one that is meant. */
export type FindWorker = (scriptUrl: string, mockWorkerUrl: string) => boolean

export interface WorkerLocation {
  /** URL of the worker's script, relative to the page. */
  url: string | URL
  options?: RegistrationOptions
  find?: FindWorker
  /** Whether the page can do without. */
  isOptional?: boolean
}

const registrationLimit = 8000

function isMeant({ find, url }: WorkerLocation, worker: ServiceWorker): boolean {
  const { href } = new URL(url, document.baseURI)
  return find ? find(worker.scriptURL, href) : worker.scriptURL === href
}

/**
 * The registration of the worker, made where there is none.
 *
 * @returns {@link NoServiceWorker} where this page, browser or origin cannot have one
 * @throws where it could, but the script is not there
 */
export async function findRegistration(location: WorkerLocation): Promise<ServiceWorkerRegistration | NoServiceWorker> {
  const container = findContainer()
  if (container instanceof NoServiceWorker) return container
  const url = new URL(location.url, document.baseURI).href
  // Whoever looks for the worker by himself may have registered it elsewhere.
  const obstacle = location.find ? undefined : findObstacle(url, scopeOf(url, location.options))
  if (obstacle) return obstacle
  // `register()` has been seen to hang where tabs reload rapidly; a registration that is there needs none.
  const registrations = (await within(registrationLimit, container.getRegistrations())) ?? []
  const existing = registrations.find((registration) => {
    const worker = workerOf(registration)
    return worker !== null && isMeant(location, worker) && isInScope(registration)
  })
  if (existing) return existing
  const neighbour = await meetNeighbour(container, url, scopeOf(url, location.options))
  if (neighbour) return neighbour
  try {
    const registration = await within(
      registrationLimit,
      container.register(url, { updateViaCache: 'none', ...location.options }),
    )
    return registration ?? new NoServiceWorker('the browser did not register the service worker in time')
  } catch (cause) {
    const problem = await findScriptProblem(url)
    if (problem === undefined) {
      return new NoServiceWorker(
        `the browser refuses the service worker (${cause instanceof Error ? cause.message : String(cause)})`,
      )
    }
    if (location.isOptional) return new NoServiceWorker(`there is no service worker script at ${url} (${problem})`)
    throw failure(
      'start mocking',
      `there is no service worker script at ${url}: ${problem}`,
      'Let the plugin of your build tool serve it, or serve the file of `@understudy/engine/worker` there.',
      { cause },
    )
  }
}

/** The worker of a registration, however far it has come. */
function workerOf(registration: ServiceWorkerRegistration): ServiceWorker | null {
  return registration.active ?? registration.waiting ?? registration.installing
}

function isInScope({ scope }: ServiceWorkerRegistration): boolean {
  return globalThis.location.href.startsWith(scope)
}

/** Waits until a registration's worker is active; where it comes in the place of another script's, until it is there. */
export async function activeWorker(registration: ServiceWorkerRegistration): Promise<ServiceWorker | undefined> {
  const { active } = registration
  const next = registration.installing ?? registration.waiting
  if (active && (!next || next.scriptURL === active.scriptURL)) return active
  if (!next) return undefined
  await within(registrationLimit, untilActivated(next))
  return registration.active ?? undefined
}

/** Waits until a worker is active, or will never be. */
export function untilActivated(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve()
    }
    worker.addEventListener('statechange', check)
    check()
  })
}

/** What is wrong with the worker's script, or nothing where it is there and a script. */
async function findScriptProblem(url: string): Promise<string | undefined> {
  const { fetch } = getGate()?.natives ?? globalThis
  try {
    const response = await fetch(url, { cache: 'no-store' })
    if (!response.ok) return `the server answers ${response.status}`
    const type = response.headers.get('content-type') ?? ''
    return /javascript|ecmascript/.test(type) ? undefined : `the server answers with the content type "${type}"`
  } catch {
    return 'the server does not answer'
  }
}

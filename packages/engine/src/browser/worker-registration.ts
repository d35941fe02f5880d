import { failure } from '../core/failure.ts'
import { getGate } from './gate/gate.ts'
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

/** Why a page cannot have a service worker, as it follows "because". */
export class NoServiceWorker {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const registrationLimit = 8000

/** The worker, where it controls this page already. */
export function findController(location: WorkerLocation): ServiceWorker | undefined {
  const controller = (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.controller
  return controller && isMeant(location, controller) ? controller : undefined
}

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
  const obstacle = findObstacle(url, location)
  if (obstacle) return obstacle
  // `register()` has been seen to hang where tabs reload rapidly; a registration that is there needs none.
  const registrations = (await within(registrationLimit, container.getRegistrations())) ?? []
  const existing = registrations.find((registration) => {
    const worker = workerOf(registration)
    return worker !== null && isMeant(location, worker) && isInScope(registration)
  })
  if (existing) return existing
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

function findContainer(): ServiceWorkerContainer | NoServiceWorker {
  try {
    // The property is there and `undefined` in some privacy modes.
    const container = navigator.serviceWorker as ServiceWorkerContainer | undefined
    if (container) return container
  } catch {
    return new NoServiceWorker('a sandboxed frame has no service workers (without "allow-same-origin")')
  }
  return new NoServiceWorker(
    isSecureContext
      ? 'this browser offers no service workers here'
      : `${globalThis.location.origin} is no secure origin (service workers need https or localhost)`,
  )
}

/** Why the platform would not let the script control this page, as far as its URL tells. */
function findObstacle(url: string, { find, options }: WorkerLocation): NoServiceWorker | undefined {
  const { origin, href } = globalThis.location
  // Whoever looks for the worker by himself may have registered it elsewhere.
  if (find) return undefined
  const script = new URL(url)
  if (script.origin !== origin) {
    return new NoServiceWorker(`the page is of ${origin}, and the service worker's script of ${script.origin}`)
  }
  const scope = new URL(options?.scope ?? '.', options?.scope === undefined ? url : document.baseURI).href
  return href.startsWith(scope)
    ? undefined
    : new NoServiceWorker(`this page is not below ${scope}, which the service worker controls`)
}

/** The worker of a registration, however far it has come. */
function workerOf(registration: ServiceWorkerRegistration): ServiceWorker | null {
  return registration.active ?? registration.waiting ?? registration.installing
}

function isInScope({ scope }: ServiceWorkerRegistration): boolean {
  return globalThis.location.href.startsWith(scope)
}

/** Waits until a registration's worker is active. */
export async function activeWorker(registration: ServiceWorkerRegistration): Promise<ServiceWorker | undefined> {
  if (registration.active) return registration.active
  const worker = workerOf(registration)
  if (!worker) return undefined
  await within(registrationLimit, untilActivated(worker))
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

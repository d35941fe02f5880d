import { print } from '../../core/failure.ts'
import { probeForAsked, probeHeader, probeParameter } from '../../worker/protocol.ts'
import { getGate } from '../gate/gate.ts'
import { NoServiceWorker } from './no-service-worker.ts'
import { foreignWorkerTimeout } from './time-outs.ts'
import { within } from './within.ts'

/** The file name of MSW's worker, which is not needed beside this one. */
const mswScript = /\/mockServiceWorker\.js$/

/**
 * What follows from a service worker that this page has already, and that is not ours: a registration has only one
 * script, so ours would take its place.
 *
 * @param url of our script
 * @param scope that ours is to have
 * @returns its registration, where that worker has taken our script in; why there can be none, where it has not;
 *   nothing if ours may be registered
 */
export async function meetForeignWorker(
  container: ServiceWorkerContainer,
  url: string,
  scope: string,
): Promise<ServiceWorkerRegistration | NoServiceWorker | undefined> {
  // The one that would control this page: of several, the one with the longest scope.
  const registration = await within(foreignWorkerTimeout, container.getRegistration())
  const worker = registration && (registration.active ?? registration.waiting ?? registration.installing)
  if (!worker || worker.scriptURL === url || !registration.scope.startsWith(scope)) return undefined
  if (mswScript.test(new URL(worker.scriptURL).pathname) && registration.scope === scope) {
    print.info(`The service worker of MSW (${worker.scriptURL}) is replaced. You can delete its file.`)
    return undefined
  }
  const seen = container.controller?.scriptURL === worker.scriptURL ? await probe(worker) : undefined
  if (seen === 'shared') return registration
  // Our script by another name, from earlier.
  if (seen === 'own' && registration.scope === scope) return undefined
  return describeForeignWorker(worker, url)
}

/** @param url of our script, which the worker could take in */
export function describeForeignWorker({ scriptURL }: ServiceWorker, url: string): NoServiceWorker {
  const script = JSON.stringify(new URL(url).pathname)
  return new NoServiceWorker(
    `it has another service worker (${scriptURL}). To share that one, begin its script with importScripts(${script})`,
  )
}

/**
 * Whether requests of this page reach our script within a worker. Without a response that is not known (`undefined`): the
 * browser ends the probe of a page that is being left, as all its requests, and a busy machine delays it.
 */
export async function reachesWorker(worker: ServiceWorker): Promise<boolean | undefined> {
  const answer = await probe(worker)
  return answer === undefined ? undefined : answer !== ''
}

/**
 * Resolves when the page was asked about every request that it made before. A message may reach the worker before
 * these; a request does not, if it has a body, too.
 */
export async function untilAsked(worker: ServiceWorker): Promise<void> {
  await probe(worker, probeForAsked, { method: 'POST', body: ' ' })
}

/** Returns `undefined` without an answer, and `''` for one that is not our script's. */
async function probe({ scriptURL }: ServiceWorker, value = '', init: RequestInit = {}): Promise<string | undefined> {
  const url = new URL(scriptURL)
  url.searchParams.set(probeParameter, value)
  const { fetch } = getGate()?.natives ?? globalThis
  const answer = await within(
    foreignWorkerTimeout,
    fetch(url, { cache: 'no-store', ...init }).catch(() => undefined),
  )
  return answer && (answer.status === 204 ? (answer.headers.get(probeHeader) ?? 'own') : '')
}

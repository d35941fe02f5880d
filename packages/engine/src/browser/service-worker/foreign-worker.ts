import { print } from '../../core/failure.ts'
import { later } from '../../core/real-time.ts'
import {
  probeForAsked,
  probeForIdle,
  probeHeader,
  probeParameter,
  replacingLock,
  type PageStateMessage,
} from '../../worker/protocol.ts'
import { getGate } from '../gate/gate.ts'
import { HeldLock } from '../lifecycle/held-lock.ts'
import { foreignWorkerTimeout, idleLimit, slowStepLimit } from '../lifecycle/time-outs.ts'
import { NoServiceWorker } from './no-service-worker.ts'
import { within } from './within.ts'

/**
 * Checks whether this page has a foreign service worker. A registration has only one script, so our script would
 * replace it.
 *
 * @param url the URL of our script
 * @param scope the scope for our script
 * @returns the foreign registration if its script imports our script; {@link NoServiceWorker} if it does not;
 * `undefined` if our script may be registered
 */
export async function meetForeignWorker(
  container: ServiceWorkerContainer,
  url: string,
  scope: string,
): Promise<ServiceWorkerRegistration | NoServiceWorker | undefined> {
  // Of several registrations, the one with the longest scope controls this page.
  const registration = await within(foreignWorkerTimeout, container.getRegistration(location.href))
  const worker = registration && (registration.active ?? registration.waiting ?? registration.installing)
  if (!worker || worker.scriptURL === url || !registration.scope.startsWith(scope)) return undefined
  if (isOfMsw(worker.scriptURL) && registration.scope === scope) {
    print.info(`The service worker of MSW (${worker.scriptURL}) is replaced. You can delete its file.`)
    return mayReplace(worker)
  }
  const seen = container.controller?.scriptURL === worker.scriptURL ? await probe(worker, slowStepLimit) : undefined
  if (seen === 'shared') return registration
  // An earlier registration of our script under another name.
  if (seen === 'own' && registration.scope === scope) return mayReplace(worker)
  return describeForeignWorker(worker, url)
}

/** Returns whether a script is MSW's worker, which is not needed beside ours. */
function isOfMsw(scriptURL: string): boolean {
  return new URL(scriptURL).pathname.endsWith('/mockServiceWorker.js')
}

/** Lets our worker replace a worker, which it otherwise never does. */
async function mayReplace({ scriptURL }: ServiceWorker): Promise<undefined> {
  const lock = new HeldLock()
  lock.hold(replacingLock(scriptURL))
  await within(foreignWorkerTimeout, lock.held)
}

/** @param url the URL of our script, which the foreign worker could import */
export function describeForeignWorker({ scriptURL }: ServiceWorker, url: string): NoServiceWorker {
  const script = JSON.stringify(new URL(url).pathname)
  const advice = isOfMsw(scriptURL)
    ? 'It is that of MSW. Remove the code that starts it, such as worker.start() of msw/browser'
    : `To share that one, begin its script with importScripts(${script})`
  return new NoServiceWorker(`it has another service worker (${scriptURL}). ${advice}`)
}

/**
 * Returns whether requests of this page reach our script in a worker. Returns `undefined` if there is no response: the
 * browser aborts the probe when the page unloads, and a busy machine delays it.
 *
 * @param limit in milliseconds
 */
export async function reachesWorker(
  worker: ServiceWorker,
  limit: number = foreignWorkerTimeout,
): Promise<boolean | undefined> {
  const answer = await probe(worker, limit)
  return answer === undefined ? undefined : answer !== ''
}

/**
 * Returns whether requests of this page do not reach our script in the worker that controls it. Firefox may send a probe to
 * the network while it replaces the worker, and the page may learn of that after the response. So ask twice, the second
 * time with a delay.
 *
 * @param delay in milliseconds
 */
export async function isUnreached(worker: ServiceWorker, delay = 0): Promise<boolean> {
  if (delay > 0) await new Promise<void>((resolve) => later(resolve, delay))
  return (await reachesWorker(worker)) === false && worker === navigator.serviceWorker.controller
}

/**
 * Resolves when the worker has asked the page about all its earlier requests. A message may overtake these requests on
 * the way to the worker. A request with a body does not.
 */
export async function untilAsked(worker: ServiceWorker): Promise<void> {
  await probe(worker, foreignWorkerTimeout, probeForAsked, { method: 'POST', body: ' ' })
}

/** Returns whether the worker has no pending requests and no page loads, or gets into that state within a limit. */
export async function isIdle(worker: ServiceWorker): Promise<boolean> {
  return (await probe(worker, idleLimit, probeForIdle, { method: 'POST', body: ' ' })) !== undefined
}

/**
 * Asks a new worker to replace the active one. Firefox leaves a page that loads at that moment with the old one, so the new
 * one of Firefox does it only if asked.
 */
export async function askToReplace(worker: ServiceWorker): Promise<void> {
  const { controller } = navigator.serviceWorker
  const isOurs = controller?.scriptURL === worker.scriptURL
  if (isOurs && 'mozInnerScreenX' in globalThis) await isIdle(controller)
  worker.postMessage({ type: 'understudy:replace' } satisfies PageStateMessage)
}

/** Returns `undefined` if there is no answer, and `''` if the answer is not from our script. */
async function probe(
  { scriptURL }: ServiceWorker,
  limit: number,
  value = '',
  init: RequestInit = {},
): Promise<string | undefined> {
  const url = new URL(scriptURL)
  url.searchParams.set(probeParameter, value)
  const { fetch } = getGate()?.natives ?? globalThis
  const answer = await within(
    limit,
    fetch(url, { cache: 'no-store', ...init }).catch(() => undefined),
  )
  return answer && (answer.status === 204 ? (answer.headers.get(probeHeader) ?? 'own') : '')
}

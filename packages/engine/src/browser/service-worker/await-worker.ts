import { scriptCheckDelay } from '../lifecycle/time-outs.ts'
import { NoServiceWorker, ServiceWorkerRemoved } from './no-service-worker.ts'
import { untilState } from './service-worker-container.ts'
import { within } from './within.ts'

/**
 * Waits for a service worker, and checks its script if that takes longer than {@link scriptCheckDelay}. A foreign
 * script never answers; our script may only be slow.
 *
 * @param limit in milliseconds
 * @returns `undefined` after the limit; {@link NoServiceWorker} as soon as the script turns out not to be ours
 */
export async function awaitOwnWorker<Value>(
  url: string,
  limit: number,
  promise: Promise<Value>,
): Promise<Value | NoServiceWorker | undefined> {
  const prompt = await within(scriptCheckDelay, promise)
  if (prompt !== undefined) return prompt
  return within(limit, Promise.race([promise, findForeignScript(url)]))
}

/**
 * Waits until a worker answers with its version. Checks its script at once, because the worker was already slow.
 *
 * @param limit in milliseconds
 */
export async function awaitVersion(
  worker: ServiceWorker,
  connected: Promise<string>,
  limit: number,
): Promise<string | NoServiceWorker> {
  const removed = untilState(worker, ['redundant']).then(() => new ServiceWorkerRemoved())
  const foreign = findForeignScript(worker.scriptURL, worker)
  const answer = await within(limit, Promise.race([connected, removed, foreign]))
  return answer ?? new NoServiceWorker(`the service worker ${worker.scriptURL} does not answer`)
}

/** As the function of that name in `worker-fault.ts`, which pages load only if their worker is slow. */
function findForeignScript(url: string, worker?: ServiceWorker): Promise<NoServiceWorker> {
  return new Promise((resolve) => {
    import('./worker-fault.ts').then(
      (fault) => fault.findForeignScript(url, worker).then(resolve),
      // The page is being left, or the server does not answer. The caller waits until its time-out.
      () => {},
    )
  })
}

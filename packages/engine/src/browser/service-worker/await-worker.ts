import { scriptCheckDelay, slowStepLimit, workerTimeout } from '../lifecycle/time-outs.ts'
import { NoServiceWorker, ServiceWorkerRemoved } from './no-service-worker.ts'
import { untilState } from './service-worker-container.ts'
import { within } from './within.ts'

/**
 * Waits for a step of the start of a service worker, and checks its script if that takes longer than
 * {@link scriptCheckDelay}. A foreign script never answers. Ours may only be slow, so the page waits for it, and says so.
 *
 * @param step what the browser has not done, as the continuation of "the browser has not"
 * @param begin begins the step, and begins it again if it is slow, because the browser may have lost the first call
 * @returns `undefined` after {@link slowStepLimit}; {@link NoServiceWorker} as soon as the script turns out not to be
 * ours
 */
export async function awaitOwnWorker<Value>(
  url: string,
  step: string,
  begin: () => Promise<Value>,
): Promise<Value | NoServiceWorker | undefined> {
  const first = begin()
  const prompt = await within(scriptCheckDelay, first)
  if (prompt !== undefined) return prompt
  const result = Promise.race([first, findForeignScript(url)])
  const slow = await within(workerTimeout, result)
  if (slow !== undefined) return slow
  void import('./worker-fault.ts').then((fault) => fault.reportSlowStep(url, step), ignore)
  return within(slowStepLimit, Promise.race([result, begin()]))
}

/** Resolves as soon as it is known that a worker that was slow to answer never will. Checks its script at once. */
export function findFault(worker: ServiceWorker): Promise<NoServiceWorker> {
  const removed = untilState(worker, ['redundant']).then(() => new ServiceWorkerRemoved())
  return Promise.race([removed, findForeignScript(worker.scriptURL, worker)])
}

/** As the function of that name in `worker-fault.ts`, which pages load only if their worker is slow. */
function findForeignScript(url: string, worker?: ServiceWorker): Promise<NoServiceWorker> {
  return new Promise((resolve) => {
    import('./worker-fault.ts').then((fault) => fault.findForeignScript(url, worker).then(resolve), ignore)
  })
}

/** The page is being left, or the server does not answer. The caller waits until its time-out. */
function ignore(): void {}
